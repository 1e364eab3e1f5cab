import type { CallId, TaskId, WorldId } from '../domain/ids.ts'
import type { ModelCall } from '../domain/model.ts'
import type { CountedCall, Day, UsageKey, UsageSums } from '../domain/usage.ts'
import type { Db } from './open.ts'
import { sharesOf } from './usage-shares.ts'

/** What is counted of a world's ticks. */
export interface Tally {
  /** Due tasks that needed no model call because nothing they look at had changed. */
  avoided: number
  verdicts: number
  /** Of the verdicts, those that were to escalate. */
  escalated: number
}

/** Sums of what one thing used: a task, a model, a day. */
export interface KeyedSums extends UsageSums {
  key: string
}

type CallRow = Omit<ModelCall, 'tasks' | 'failed'> & { tasks: string; failed: number }

const callColumns = `id, tick, batch, world, evaluation, tasks, provider, model, route, purpose, prompt_digest AS promptDigest, answer,
  repaired, calls, failed, prompt_tokens AS promptTokens, completion_tokens AS completionTokens, cost, duration_ms AS durationMs, at`
const sums = `coalesce(sum(calls), 0) AS calls, coalesce(sum(calls) FILTER (WHERE route = 'local'), 0) AS localCalls,
  coalesce(sum(calls) FILTER (WHERE route = 'cloud'), 0) AS cloudCalls, coalesce(sum(failed), 0) AS failedCalls,
  coalesce(sum(prompt_tokens), 0) AS promptTokens, coalesce(sum(completion_tokens), 0) AS completionTokens, sum(cost) AS cost`
/** A cost that is not known adds nothing to one that is. */
const added = `calls = calls + excluded.calls, failed = failed + excluded.failed,
  prompt_tokens = prompt_tokens + excluded.prompt_tokens, completion_tokens = completion_tokens + excluded.completion_tokens,
  cost = coalesce(cost + excluded.cost, cost, excluded.cost)`
const keys: Record<Exclude<UsageKey, 'task'>, string> = {
  day: 'day',
  world: 'world',
  model: "provider || ' ' || model",
  purpose: 'purpose',
}

export type UsageStore = ReturnType<typeof usageStore>

/** Calls of models, what they come to by day, and what was not asked at all. */
export function usageStore(db: Db) {
  const insert = db.prepare(
    `INSERT OR IGNORE INTO model_call(id, tick, batch, world, evaluation, tasks, provider, model, route, purpose, prompt_digest, answer,
     repaired, calls, failed, prompt_tokens, completion_tokens, cost, duration_ms, at) VALUES(@id, @tick, @batch, @world, @evaluation,
     @tasks, @provider, @model, @route, @purpose, @promptDigest, @answer, @repaired, @calls, @failed, @promptTokens, @completionTokens,
     @cost, @durationMs, @at)`,
  )
  const get = db.prepare<[string], CallRow>(`SELECT ${callColumns} FROM model_call WHERE id = ?`)
  const addToTask = db.prepare(
    `INSERT INTO usage(day, task, provider, model, route, purpose, world, calls, failed, prompt_tokens, completion_tokens, cost)
     VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET ${added}`,
  )
  const addToDay = db.prepare(
    `INSERT INTO usage_day(day, provider, model, route, purpose, world, calls, failed, prompt_tokens, completion_tokens, cost)
     VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET ${added}`,
  )
  const addToTally = db.prepare(
    `INSERT INTO tally(day, world, avoided, verdicts, escalated) VALUES(?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
     avoided = avoided + excluded.avoided, verdicts = verdicts + excluded.verdicts, escalated = escalated + excluded.escalated`,
  )
  const spent = db.prepare<[string], { tokens: number; cost: number }>(
    `SELECT coalesce(sum(prompt_tokens + completion_tokens), 0) AS tokens, coalesce(sum(cost), 0) AS cost FROM usage_day
     WHERE day = ? AND route = 'cloud'`,
  )
  const total = db.prepare<[string, string], UsageSums>(`SELECT ${sums} FROM usage_day WHERE day BETWEEN ? AND ?`)
  const keyed = (key: string) =>
    db.prepare<[string, string], KeyedSums>(
      `SELECT ${key} AS key, ${sums} FROM usage_day WHERE day BETWEEN ? AND ? GROUP BY key ORDER BY key`,
    )
  const tasksFrom = (from: '>' | '>=') =>
    db.prepare<[string, string, number], KeyedSums>(
      `SELECT task AS key, ${sums} FROM usage WHERE day = ? AND task ${from} ? GROUP BY task ORDER BY task LIMIT ?`,
    )
  const firstTasks = tasksFrom('>=')
  const moreTasks = tasksFrom('>')
  const daysBetween = db
    .prepare<[string, string], string>('SELECT DISTINCT day FROM usage_day WHERE day BETWEEN ? AND ? ORDER BY day')
    .pluck()
  const tallied = `coalesce(sum(avoided), 0) AS avoided, coalesce(sum(verdicts), 0) AS verdicts,
    coalesce(sum(escalated), 0) AS escalated FROM tally WHERE day BETWEEN ? AND ?`
  const tallyOf = db.prepare<[string, string], Tally>(`SELECT ${tallied}`)
  const tallyBy = (key: 'day' | 'world') =>
    db.prepare<[string, string], Tally & { key: string }>(`SELECT ${key} AS key, ${tallied} GROUP BY key ORDER BY key`)

  return {
    /** Keeps a call and counts it; one that is kept already is not counted again. */
    record(call: CountedCall): void {
      const { day, tasks, failed, ...row } = call
      const { provider, model, route, purpose, promptTokens, completionTokens, cost } = call
      const kept = insert.run({ ...row, tasks: JSON.stringify(tasks), failed: Number(failed) })
      if (kept.changes === 0) return
      const world = call.world ?? ''
      const failedCalls = failed ? call.calls : 0
      const of = [provider, model, route, purpose, world]
      addToDay.run(day, ...of, call.calls, failedCalls, promptTokens, completionTokens, cost)
      for (const { task, ...share } of sharesOf({ ...call, failedCalls })) {
        const { calls, failedCalls: nothingCame } = share
        addToTask.run(day, task, ...of, calls, nothingCame, share.promptTokens, share.completionTokens, share.cost)
      }
    },
    call(id: CallId): ModelCall | undefined {
      const row = get.get(id)
      return row && { ...row, tasks: JSON.parse(row.tasks) as TaskId[], failed: row.failed === 1 }
    },
    tally(day: Day, world: WorldId, counts: Partial<Tally>): void {
      const { avoided = 0, verdicts = 0, escalated = 0 } = counts
      if (avoided + verdicts + escalated > 0) addToTally.run(day, world, avoided, verdicts, escalated)
    },
    /** What cloud calls of a day came to: tokens, and whole millionths of money. */
    spent: (day: Day): { tokens: number; cost: number } => spent.get(day)!,
    /** Of the days from the first to the last, both included. */
    total: (from: Day, to: Day): UsageSums => total.get(from, to)!,
    by: (key: Exclude<UsageKey, 'task'>, from: Day, to: Day): KeyedSums[] => keyed(keys[key]).all(from, to),
    days: (from: Day, to: Day): Day[] => daysBetween.all(from, to),
    /** A page of what tasks used on a day, by their ids. */
    tasks: (day: Day, after: string | null, most: number): KeyedSums[] =>
      after === null ? firstTasks.all(day, '', most) : moreTasks.all(day, after, most),
    tallied: (from: Day, to: Day): Tally => tallyOf.get(from, to)!,
    talliedBy: (key: 'day' | 'world', from: Day, to: Day): (Tally & { key: string })[] => tallyBy(key).all(from, to),
  }
}
