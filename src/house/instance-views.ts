import type { WorldRow } from '../domain/world.ts'
import type { InstanceView } from '../rpc/services.ts'
import type { Runtime } from '../runtime.ts'
import { memoryWorld } from './blank-task.ts'
import type { Status } from './views.ts'

/** Of all worlds together, for those of which nothing else says it. */
type Whole = Pick<InstanceView, 'providerAvailable' | 'providerUnavailableReason' | 'intervalMinutes' | 'mode'> &
  Pick<Status, 'tasks' | 'pendingApprovals'>

/** Every world, each with all that is said of one. */
export function instanceViews(
  { stores, worlds }: Pick<Runtime, 'stores' | 'worlds'>,
  rows: readonly WorldRow[],
  { tasks, pendingApprovals, ...common }: Whole,
): InstanceView[] {
  const taskCounts = shared(stores.counts.tasksBeside(memoryWorld), tasks)
  const cardCounts = shared(stores.counts.openCardsBeside(memoryWorld), pendingApprovals)
  return rows.map((row) => {
    const cadenceMinutes = worlds.cadence(row.id)
    return {
      ...common,
      enabled: cadenceMinutes !== null,
      taskCount: taskCounts(row.id),
      pendingEscalations: cardCounts(row.id),
      instance: row.id,
      title: row.title,
      description: worlds.get(row.id)?.description ?? '',
      state: row.state,
      cadenceMinutes,
      lastTickAt: row.lastTickAt,
      nextTickAt: row.nextTickAt,
      totalTicks: row.totalTicks,
      consecutiveFailures: row.consecutiveFailures,
      failureReason: row.consecutiveFailures > 0 && row.state !== 'halted' ? row.reason : null,
      haltedReason: row.state === 'halted' ? row.reason : null,
      paused: row.state === 'paused',
    }
  })
}

const shared = (others: ReadonlyMap<string, number>, whole: number): ((world: string) => number) => {
  const rest = whole - [...others.values()].reduce((sum, count) => sum + count, 0)
  return (world) => (world === memoryWorld ? rest : (others.get(world) ?? 0))
}
