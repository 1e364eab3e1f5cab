import type { ActorHost } from '../actors/actor-host.ts'
import type { Clock } from '../domain/clock.ts'
import type { Stores } from './stores.ts'

export interface HealthParts {
  host: Pick<ActorHost, 'write'>
  stores: Stores
  clock: Clock
}

/** What the system tasks that code checks find; empty when all is well. */
const checks: Record<'check-health' | 'check-skills', (stores: Stores) => string[]> = {
  'check-health': (stores) => {
    const failing = stores.changes
      .sources()
      .flatMap(({ title, failure }) => (failure === null ? [] : [`${title}: ${failure}`]))
    const dead = stores.records.deadLetterCount()
    return dead === 0
      ? failing
      : [...failing, `${dead} message${dead === 1 ? '' : 's'} could not be delivered; see undermind doctor`]
  },
  'check-skills': () => [],
}

/**
 * Runs the checks that need no model, and makes news only when what they find has changed: all being well is news after
 * it was not, never before.
 */
export async function checkHealth({ host, stores, clock }: HealthParts): Promise<void> {
  for (const task of stores.tasks.checkedByCode()) {
    if (task.judge === 'model') continue
    const found = checks[task.judge](stores).join('\n')
    const last = stores.records.lastNotification(task.judge)
    if (found === (last?.body ?? '')) continue
    await host.write((turn) => {
      const title = found === '' ? `${task.title}: all well again` : `${task.title}: something needs attention`
      const now = clock.now()
      stores.records.notify({ key: `${task.judge}:${now}`, kind: task.judge, title, body: found, at: now })
      stores.tasks.update(task.id, { lastRunAt: now })
      turn.news({ type: 'notification', title, body: found })
    })
  }
}
