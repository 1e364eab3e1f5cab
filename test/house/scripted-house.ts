import { onTestFinished } from 'vitest'
import { hour } from '../../src/domain/clock.ts'
import type { Evaluation } from '../../src/domain/evaluation.ts'
import type { JudgeRequest, RawAnswer } from '../../src/domain/model.ts'
import type { Task } from '../../src/domain/task.ts'
import { type Script, scriptedProvider } from '../../src/models/scripted.ts'
import { type House, type HouseOptions, house } from '../support/house.ts'

export const hourly = { 'heartbeat.interval_minutes': 60 }
export const daily = { 'heartbeat.interval_minutes': 24 * 60 }

/** A house with a scripted model, without the seeded task, so that only the test's own tasks are judged. */
export async function scripted(script: Script = {}, options: HouseOptions = {}) {
  const provider = scriptedProvider(script)
  const home = await house({ provider, ...options })
  await home.runtime.tasks.edit('task_seed_memory', { enabled: false })
  /** What the model was shown for a task, one list of items for each time it was asked. */
  const shownTo = ({ id }: Pick<Task, 'id'>): string[][] =>
    provider.calls.judge
      .filter(({ report, repair }) => repair === undefined && report.tasks.some((task) => task.id === id))
      .map(({ report }) => report.changes.map(({ key }) => key))
  const ranOf = ({ id }: Pick<Task, 'id'>): Evaluation[] =>
    home.runtime
      .log({ task: id, limit: 100 })
      .toSorted((a, b) => a.createdAt - b.createdAt || generation(a) - generation(b))
  return { home, provider, shownTo, ranOf }
}

const generation = ({ tick }: Evaluation): number => Number(tick?.split('_').at(-1) ?? 0)
export const marksOf = (home: House): Task[] => home.runtime.tasks.list().toSorted((a, b) => (a.id < b.id ? -1 : 1))
export const rowOf = (home: House, { id }: Pick<Task, 'id'>): Task => home.runtime.stores.tasks.get(id)!
/** The time in Berlin in summer, to the minute. */
export const local = (at: number | null | undefined): string | null =>
  at == null ? null : new Date(at + 2 * hour).toISOString().slice(0, 16)

/** A judge that answers when the test says so, or fails when nobody wants its answer any more. */
export function heldJudge() {
  const asked: { request: JudgeRequest; answer: () => void; signal: AbortSignal }[] = []
  const judge = (request: JudgeRequest, signal: AbortSignal): Promise<RawAnswer> =>
    new Promise((resolve, reject) => {
      const evaluations = request.report.tasks.map(({ id }) => ({ task_id: id, decision: 'skip' }))
      const text = JSON.stringify({ evaluations })
      const usage = { promptTokens: 0, completionTokens: 0 }
      asked.push({ request, signal, answer: () => resolve({ text, usage, cutOff: false }) })
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  onTestFinished(() => {
    for (const { answer } of asked) answer()
  })
  return { judge, asked }
}
