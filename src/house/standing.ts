import { effectiveMode, type Settings } from '../domain/settings.ts'
import type { Engine } from './engine.ts'
import type { Status } from './views.ts'

/** More than anybody reads. */
const mostPaused = 200

/** How everything stands, from rows and counters alone. */
export function standing(
  {
    stores,
    routes,
    usage,
    heartbeatTasks,
    registry,
  }: Pick<Engine, 'stores' | 'routes' | 'usage' | 'heartbeatTasks' | 'registry'>,
  { workspace, trusted, settings }: { workspace: string; trusted: boolean; settings: Settings },
  stalled: string | null,
): Status {
  const judge = routes.judge()
  return {
    workspace,
    trusted,
    mode: effectiveMode(settings),
    model: { provider: judge.id, model: judge.model },
    routes: routes.view(),
    worlds: registry.rows(),
    tasks: stores.tasks.count(),
    pausedTasks: stores.tasks.paused(mostPaused),
    pendingApprovals: stores.escalations.openCount(),
    heartbeatFile: heartbeatTasks.state,
    sources: stores.changes.sources(),
    deadLetters: stores.records.deadLetterCount(),
    stalled,
    usage: usage.today(),
  }
}
