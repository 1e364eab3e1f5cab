import { id, type TaskId, type WorldId } from '../domain/ids.ts'
import type { Day, UsageKey, UsageRow, UsageSummary, UsageSums } from '../domain/usage.ts'
import { daysBefore } from './local-day.ts'
import { breathe } from './slices.ts'
import type { Stores } from './stores.ts'
import type { UsageBook } from './usage.ts'

export interface SummaryQuery {
  /** How many days up to today. */
  days: number
  by: UsageKey
}

const mostRows = 500
const page = 500

/** What models were asked and used in the last days, by what it is to be told apart. Waits for no tick. */
export async function usageSummary(stores: Stores, book: UsageBook, { days, by }: SummaryQuery): Promise<UsageSummary> {
  const today = book.today()
  const to = today.day
  const from = daysBefore(to, days - 1)
  const total = { ...stores.usage.total(from, to), callsAvoided: stores.usage.tallied(from, to).avoided }
  const rows = await rowsBy(stores, by, from, to)
  const inOrder = by === 'day' ? rows.toSorted(newestFirst) : rows.toSorted(mostFirst)
  const more = Math.max(0, rows.length - mostRows)
  return { today, from, to, by, total, rows: inOrder.slice(0, mostRows), more }
}

async function rowsBy(stores: Stores, by: UsageKey, from: Day, to: Day): Promise<UsageRow[]> {
  const { usage, tasks, ticks } = stores
  if (by === 'task') {
    const found = await byTask(stores, from, to)
    return found.map(([key, sums]) => ({
      key,
      title: titleOf(tasks.get(id<TaskId>(key))),
      ...sums,
      callsAvoided: null,
    }))
  }
  const rows = usage.by(by, from, to)
  if (by !== 'day' && by !== 'world') return rows.map((row) => ({ ...row, title: null, callsAvoided: null }))
  // A day or a world on which no model was asked may have been spared calls all the same.
  const avoided = new Map(usage.talliedBy(by, from, to).map(({ key, avoided: spared }) => [key, spared]))
  const asked = new Set(rows.map(({ key }) => key))
  const onlySpared = [...avoided.keys()].filter((key) => !asked.has(key)).map((key) => ({ key, ...noCalls }))
  return [...rows, ...onlySpared].map((row) => ({
    ...row,
    title: by === 'world' ? titleOf(ticks.world(id<WorldId>(row.key))) : null,
    callsAvoided: avoided.get(row.key) ?? 0,
  }))
}

/** A day at a time, and of each a page: there may be as many rows as days times tasks. */
async function byTask({ usage }: Stores, from: Day, to: Day): Promise<[string, UsageSums][]> {
  const found = new Map<string, UsageSums>()
  for (const day of usage.days(from, to)) {
    for (let after: string | null = null; ; ) {
      const rows = usage.tasks(day, after, page)
      for (const { key, ...sums } of rows) found.set(key, together(found.get(key) ?? noCalls, sums))
      await breathe()
      if (rows.length < page) break
      after = rows.at(-1)!.key
    }
  }
  return [...found]
}

const noCalls: UsageSums = {
  calls: 0,
  localCalls: 0,
  cloudCalls: 0,
  failedCalls: 0,
  promptTokens: 0,
  completionTokens: 0,
  cost: null,
}

const together = (one: UsageSums, other: UsageSums): UsageSums => ({
  calls: one.calls + other.calls,
  localCalls: one.localCalls + other.localCalls,
  cloudCalls: one.cloudCalls + other.cloudCalls,
  failedCalls: one.failedCalls + other.failedCalls,
  promptTokens: one.promptTokens + other.promptTokens,
  completionTokens: one.completionTokens + other.completionTokens,
  cost: one.cost === null && other.cost === null ? null : (one.cost ?? 0) + (other.cost ?? 0),
})

const titleOf = (row: { title: string } | undefined): string | null => row?.title ?? null

const newestFirst = (one: UsageRow, other: UsageRow): number => (one.key < other.key ? 1 : -1)

const mostFirst = (one: UsageRow, other: UsageRow): number =>
  (other.cost ?? 0) - (one.cost ?? 0) ||
  other.promptTokens + other.completionTokens - one.promptTokens - one.completionTokens ||
  other.calls - one.calls ||
  (one.key < other.key ? -1 : 1)
