import { z } from 'zod'
import type { ModelCall, Usage } from './model.ts'

/**
 * What a model was asked for. `text` is the result of an `act` without one; `compact` shortens an agent's conversation,
 * `check` is the doctor's. Of a session, `reflex` answers or hands down, `core` works, `compress` sums the work up,
 * and `ask` is a world's own question, such as the review of what that came to.
 */
export const Purpose = z.enum([
  'judge',
  'text',
  'analyse',
  'agent',
  'compact',
  'intent',
  'eval',
  'check',
  'reflex',
  'core',
  'compress',
  'ask',
])
export type Purpose = z.infer<typeof Purpose>

/** Which of the two configured models: only the cloud one has prices and a budget. */
export const Route = z.enum(['local', 'cloud'])
export type Route = z.infer<typeof Route>

/** A day of the calendar in the user's zone: `2026-11-30`. */
export type Day = string

/** A call of a model as whoever made it knows it. Tokens of a call that failed are what is known or feared of it. */
export interface CallMade extends Omit<ModelCall, 'route' | 'cost'> {
  /** Not given: told by provider and model. */
  route?: Route
}

/** A call with what it cost and the day that it counts for, ready to be recorded: `rows.ticks.recordCall(call)`. */
export interface CountedCall extends ModelCall {
  day: Day
}

/** What a call may come to, estimated from above, before it is made. */
export interface CallAhead {
  provider: string
  model: string
  promptTokens: number
  maxTokens: number
  /** Not given: told by provider and model. */
  route?: Route
}

/** The right to make one call. What the call may cost is set aside until it is known, or until the right is given back. */
export interface Admission extends Disposable {
  /** Says what was used; counts even where the call was never recorded. */
  spent(usage: Usage): void
}

/**
 * Keeps account of what models are asked. Every call goes by here twice: `admit` before it, `counted` when it is over.
 * Money is in whole millionths of the currency that the prices are in.
 */
export interface Accounts {
  /**
   * Throws `model/budget` where today's budget does not allow the call (`data.until`: when it goes on, milliseconds UTC),
   * `model/budget-too-small` where no day's would, and `model/no-price` where a budget is set and what tokens cost is not.
   */
  admit(ahead: CallAhead): Admission
  counted(call: CallMade): CountedCall
}

/** Sums of calls. `cost` is null where no price was known: that is not the same as nothing. */
export interface UsageSums {
  calls: number
  localCalls: number
  cloudCalls: number
  /** Of the calls, those that nothing came of. */
  failedCalls: number
  promptTokens: number
  completionTokens: number
  cost: number | null
}

/** What may be used in a day and what is left of it. */
export interface Allowance {
  limit: number
  used: number
  left: number
}

/** Limits of the cloud model for the day; null where none is set. */
export interface BudgetToday {
  money: Allowance | null
  tokens: Allowance | null
  /** Set while calls are refused: when they go on. */
  refusedUntil: number | null
}

/** How often a verdict was to escalate, of the last seven days. */
export interface Escalations {
  verdicts: number
  escalated: number
}

export interface UsageToday extends UsageSums {
  day: Day
  callsAvoided: number
  escalations: Escalations
  /** Null while no cloud model is set. */
  budget: BudgetToday | null
}

export const UsageKey = z.enum(['task', 'world', 'day', 'model', 'purpose'])
export type UsageKey = z.infer<typeof UsageKey>

export interface UsageRow extends UsageSums {
  /** A task's or world's id (empty for calls made for none), a day, a model behind its provider, a purpose. */
  key: string
  /** Of a task or world that is still there. */
  title: string | null
  /** Known of days and worlds only. */
  callsAvoided: number | null
}

export interface UsageSummary {
  today: UsageToday
  /** The first and the last day that are summed up. */
  from: Day
  to: Day
  by: UsageKey
  total: UsageSums & { callsAvoided: number }
  rows: UsageRow[]
  /** Rows left out: those that used least. */
  more: number
}
