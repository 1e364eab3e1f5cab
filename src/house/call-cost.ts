import { Fault } from '../domain/errors.ts'
import type { Usage } from '../domain/model.ts'
import type { Settings } from '../domain/settings.ts'
import type { Allowance } from '../domain/usage.ts'

/** What calls come to: tokens, and whole millionths of money. */
export interface Amount {
  tokens: number
  cost: number
}

type Prices = Pick<NonNullable<Settings['models']['cloud']>, 'input_price' | 'output_price'>

/** No call uses more, whatever a server says. */
const mostTokens = 1_000_000_000

const whole = (amount: number): number => (amount > 0 ? Math.min(Math.ceil(amount), mostTokens) : 0)

/** Usage as it can be counted: servers say what they like. */
export const usageOf = ({ promptTokens, completionTokens }: Usage): Usage => ({
  promptTokens: whole(promptTokens),
  completionTokens: whole(completionTokens),
})

/** Null where a price is missing. Rounded up, so that a budget is never overdrawn by what was rounded. */
export function costOf(given: Usage, prices: Prices | undefined): number | null {
  if (prices?.input_price === undefined || prices.output_price === undefined) return null
  const { promptTokens, completionTokens } = usageOf(given)
  // A price is for a million tokens, so a token costs as many millionths as the price says.
  const cost = promptTokens * prices.input_price + completionTokens * prices.output_price
  // Not by what binary fractions add to a whole amount.
  return Math.ceil(Number(cost.toPrecision(12)))
}

export const amountOf = (given: Usage, prices: Prices | undefined): Amount => {
  const { promptTokens, completionTokens } = usageOf(given)
  return { tokens: promptTokens + completionTokens, cost: costOf(given, prices) ?? 0 }
}

export const plus = (one: Amount, other: Amount): Amount => ({
  tokens: one.tokens + other.tokens,
  cost: one.cost + other.cost,
})

export const millionths = (money: number): number => Math.round(money * 1_000_000)

export const allowance = (limit: number, used: number): Allowance => ({ limit, used, left: Math.max(0, limit - used) })

/** Refused before a model has read anything: such a call used nothing. */
const unread: readonly string[] = [
  'model/unreachable',
  'model/missing',
  'model/key-refused',
  'model/no-tools',
  'model/too-large',
  'model/quota',
  'model/rate-limited',
  'model/busy',
  'model/budget',
  'model/budget-too-small',
  'model/no-price',
]

/**
 * What a call used that ended in an error: what the error says (`data.usage`), else the prompt, which a model that was
 * asked has read and somebody may be charged for.
 */
export function usageOfFailed(error: unknown, promptTokens: number): Usage {
  const told = error instanceof Fault ? error.data.usage : undefined
  if (isUsage(told)) return usageOf(told)
  const wasRead = !(error instanceof Fault && unread.includes(error.code))
  return { promptTokens: wasRead ? whole(promptTokens) : 0, completionTokens: 0 }
}

const isUsage = (given: unknown): given is Usage =>
  typeof given === 'object' &&
  given !== null &&
  'promptTokens' in given &&
  'completionTokens' in given &&
  typeof given.promptTokens === 'number' &&
  typeof given.completionTokens === 'number'
