import { day, hour, minute, second } from '../../domain/clock.ts'
import type { Refusal } from './refusal.ts'

/**
 * How long a server wants to be left alone, in milliseconds from `now`; undefined when it does not say. The header made
 * for it counts first, then those that tell when limits are reset, then its words.
 */
export const waitAsked = (refusal: Refusal, now: number): number | undefined => {
  const header = (name: string) => refusal.headers.get(name)?.trim() ?? ''
  return (
    inUnit(header('retry-after-ms'), 1) ??
    inUnit(header('retry-after'), second) ??
    untilDate(header('retry-after'), now) ??
    untilReset(refusal.headers, now) ??
    inWords(refusal.text)
  )
}

const inUnit = (text: string, unit: number): number | undefined =>
  /^\d+(?:\.\d+)?$/.test(text) ? Math.ceil(Number(text) * unit) : undefined

const untilDate = (text: string, now: number): number | undefined => {
  const at = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

const limits = ['', '-requests', '-tokens']

/** The reset of the limits that are used up; the soonest where none is said to be. */
const untilReset = (headers: ReadonlyMap<string, string>, now: number): number | undefined => {
  const resets = limits.flatMap((limit) => {
    const wait = resetIn(headers.get(`x-ratelimit-reset${limit}`)?.trim() ?? '', now)
    return wait === undefined ? [] : [{ wait, usedUp: Number(headers.get(`x-ratelimit-remaining${limit}`) ?? 1) <= 0 }]
  })
  const usedUp = resets.filter((reset) => reset.usedUp).map(({ wait }) => wait)
  if (usedUp.length > 0) return Math.max(...usedUp)
  return resets.length === 0 ? undefined : Math.min(...resets.map(({ wait }) => wait))
}

/** A number is a time since 1970 when it is large, in seconds or milliseconds, else seconds from now. */
const resetIn = (text: string, now: number): number | undefined => {
  const number = inUnit(text, 1)
  if (number === undefined) return duration(text) ?? untilDate(text, now)
  if (number > 1e11) return Math.max(0, number - now)
  return number > 1e8 ? Math.max(0, number * second - now) : inUnit(text, second)
}

const units: Record<string, number> = { ms: 1, s: second, m: minute, h: hour, d: day }

/** `1s`, `6m0s`, `250ms`, `1h2m3.5s`. */
const duration = (text: string): number | undefined => {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(text)) return undefined
  let sum = 0
  for (const [, amount, unit] of text.matchAll(/([\d.]+)(ms|[smhd])/g)) sum += Number(amount) * (units[unit ?? ''] ?? 0)
  return Math.ceil(sum)
}

const inWords = (text: string): number | undefined => {
  const found = /(?:try again in|retry in|retryDelay"\s*:\s*")\s*((?:\d+(?:\.\d+)?(?:ms|[smhd]))+)/i.exec(text)
  return found?.[1] === undefined ? undefined : duration(found[1].toLowerCase())
}
