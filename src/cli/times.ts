import { day, hour, minute } from '../domain/clock.ts'

const two = (value: number): string => String(value).padStart(2, '0')

/** A time of day in the local zone, as 18:05. */
export const clockTime = (at: number): string => {
  const date = new Date(at)
  return `${two(date.getHours())}:${two(date.getMinutes())}`
}

const localDay = (at: number): string => {
  const date = new Date(at)
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** Local time; with its day where that is not today. */
export const localTime = (at: number, now: number): string =>
  localDay(at) === localDay(now) ? clockTime(at) : `${localDay(at)} ${clockTime(at)}`

const amount = (ms: number): string => {
  if (ms < hour) return `${Math.floor(ms / minute)} min`
  if (ms < 2 * day) return `${Math.floor(ms / hour)} h`
  return `${Math.floor(ms / day)} days`
}

/** How long ago or ahead, as "5 min ago" or "in 3 days". */
export const relativeTime = (at: number, now: number): string => {
  const distance = Math.abs(at - now)
  if (distance < minute) return at > now ? 'in a moment' : 'just now'
  return at > now ? `in ${amount(distance)}` : `${amount(distance)} ago`
}

/** As "18:05 (5 min ago)"; `never` for none. */
export const when = (at: number | null | undefined, now: number, never = 'never'): string =>
  at === null || at === undefined ? never : `${localTime(at, now)} (${relativeTime(at, now)})`

/** How long something took. */
export const duration = (ms: number): string => {
  if (ms < 1000) return `${Math.round(ms)} ms`
  return ms < minute ? `${(ms / 1000).toFixed(1)} s` : `${(ms / minute).toFixed(1)} min`
}
