import { day, hour, minute } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'

const units: Record<string, number> = { m: minute, min: minute, h: hour, d: day, w: 7 * day }
const ago = /^(\d{1,6})\s*(min|m|h|d|w)$/
const onlyDay = /^\d{4}-\d{2}-\d{2}$/
const isoTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/i

const midnight = (now: number, daysBack: number): number => {
  const date = new Date(now)
  date.setHours(0, 0, 0, 0)
  date.setDate(date.getDate() - daysBack)
  return date.getTime()
}

/** A day that the calendar lacks, such as 30 February, would be read as another one. */
const isRealDay = (text: string): boolean => {
  const date = new Date(`${text.slice(0, 10)}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text.slice(0, 10))
}

/** Reads `2h`, `3d`, `today`, `yesterday`, a day, or an ISO time; local where no zone is named. Milliseconds UTC. */
export const parseSince = (given: string, now: number): number => {
  const text = given.trim()
  const back = ago.exec(text)
  if (back) return now - Number(back[1]) * (units[back[2] ?? ''] ?? 0)
  if (text === 'today') return midnight(now, 0)
  if (text === 'yesterday') return midnight(now, 1)
  if ((onlyDay.test(text) || isoTime.test(text)) && isRealDay(text)) {
    const at = Date.parse(onlyDay.test(text) ? `${text}T00:00` : text.replace(' ', 'T'))
    if (!Number.isNaN(at)) return at
  }
  const sentence = `Cannot read "${given}" as a time. Give how long ago (30m, 2h, 3d, 1w), today, yesterday, a day (2026-04-01) or an ISO time.`
  throw Fault.use('cli/since-invalid', sentence, { since: given })
}
