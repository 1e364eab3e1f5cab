import type { TaskId } from '../domain/ids.ts'
import { atOnce, type Steps } from '../domain/steps.ts'
import { taskFrameWeight, weighTask } from './task-lines.ts'
import { grainsPerToken } from './tokens.ts'

/** Tasks that are judged in one call, on the changes after `from` that their inputs name. */
export interface Batch<T> {
  tasks: T[]
  from: number
  inputs: string[]
}

interface BatchTask {
  id: TaskId
  title: string
  judgedThrough: number
  inputs: string[]
}

const tasksPerStep = 20

interface Filling<T> extends Batch<T> {
  weight: number
}

/**
 * Deals tasks to as few calls as their titles need: those with the same window (the same last change seen, the same
 * inputs in any order) together, as long as their section of a report has room in `tokens` and there are no more than
 * `tasks` of them. A task too long for that is
 * alone. Batches come in the order of their first tasks, tasks in the order given.
 */
export const planBatches = <T extends BatchTask>(
  tasks: readonly T[],
  room: { tokens: number; tasks?: number },
): Batch<T>[] => atOnce(planningBatches(tasks, room))

/** The same in steps. */
export function* planningBatches<T extends BatchTask>(
  tasks: readonly T[],
  { tokens, tasks: most = Number.POSITIVE_INFINITY }: { tokens: number; tasks?: number },
): Steps<Batch<T>[]> {
  const room = tokens * grainsPerToken
  const batches: Filling<T>[] = []
  const windows = new Map<string, Filling<T>[]>()
  for (const [at, task] of tasks.entries()) {
    if (at % tasksPerStep === 0) yield
    const window = windowOf(task)
    const open = windows.get(window) ?? []
    windows.set(window, open)
    const weight = weighTask(task)
    const batch = open.find((one) => one.weight + weight <= room && one.tasks.length < most)
    if (batch) {
      batch.tasks.push(task)
      batch.weight += weight
    } else {
      const fresh = { tasks: [task], from: task.judgedThrough, inputs: task.inputs, weight: taskFrameWeight + weight }
      open.push(fresh)
      batches.push(fresh)
    }
  }
  return batches.map(({ tasks, from, inputs }) => ({ tasks, from, inputs }))
}

const windowOf = ({ judgedThrough, inputs }: BatchTask): string =>
  JSON.stringify([judgedThrough, ...[...new Set(inputs)].sort()])
