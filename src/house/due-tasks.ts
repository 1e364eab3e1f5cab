import type { DueTask } from '../domain/task.ts'
import type { TickAt } from '../domain/world.ts'
import { watches } from '../memory/inputs.ts'
import type { FoundDue } from '../store/tasks.ts'
import { breathe } from './slices.ts'
import type { Stores } from './stores.ts'

/** What of a tick decides which tasks it judges. */
export type DueAt = TickAt

export interface DueTasks {
  toJudge: DueTask[]
  /** Due, but with nothing to judge. */
  unchanged: DueTask[]
  external: boolean
}

const page = 200

/**
 * Tasks whose time has come, told apart by whether anything they look at has changed up to `head`. A first run, a date of
 * the task's own and a retry are judged all the same. Tasks being judged by another tick are left out.
 */
export async function dueTasks(stores: Stores, due: DueAt, head: number): Promise<DueTasks> {
  const windows = new Windows(stores, head)
  const busy = new Map(stores.evaluations.busyTasks().map(({ task, tick }) => [task, tick]))
  const found: DueTasks = { toJudge: [], unchanged: [], external: false }
  for (let after: FoundDue | null = null; ; ) {
    const tasks: FoundDue[] = stores.tasks.due(due.world, due.at, after, page)
    for (const task of tasks) {
      if (busy.has(task.id) && busy.get(task.id) !== due.tick) continue
      const changed = await windows.holds(task)
      if (changed.any || due.force || isJudgedRegardless(task)) found.toJudge.push(task)
      else found.unchanged.push(task)
      found.external ||= changed.external
    }
    if (tasks.length < page) return found
    after = tasks.at(-1)!
    await breathe()
  }
}

/** True where silence is not an answer: the task has not run yet, its date has come, or an earlier run failed. */
export function isJudgedRegardless(task: DueTask): boolean {
  if (task.lastRunAt === null || task.attempts > 0) return true
  if (task.onlyIfChanged) return false
  return task.schedule.kind === 'cron' || (task.schedule.kind === 'once' && task.nextRunAt !== null)
}

/** Whether there are changes in a task's window; tasks with the same window and inputs share the look. */
class Windows {
  readonly #stores: Stores
  readonly #head: number
  readonly #known = new Map<string, { any: boolean; external: boolean }>()

  constructor(stores: Stores, head: number) {
    this.#stores = stores
    this.#head = head
  }

  async holds({ judgedThrough, inputs }: DueTask): Promise<{ any: boolean; external: boolean }> {
    const key = `${judgedThrough} ${inputs.join('\n')}`
    const known = this.#known.get(key)
    if (known) return known
    const found = { any: false, external: false }
    for (let from = judgedThrough; from < this.#head && !found.external; ) {
      const changes = this.#stores.changes.keysBetween(from, this.#head, page)
      for (const change of changes) {
        if (!watches(inputs, change.source, change.key)) continue
        found.any = true
        found.external ||= change.external
      }
      if (changes.length < page) break
      from = changes.at(-1)!.seq
      await breathe()
    }
    this.#known.set(key, found)
    return found
  }
}
