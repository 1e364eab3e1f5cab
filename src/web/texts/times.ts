import { day, hour, minute, second } from '../../domain/clock.ts'

const steps = [
  ['day', day],
  ['hour', hour],
  ['minute', minute],
] as const

/** How far away a time is: "3 minutes ago", "in 2 hours". */
export function relativeTime(at: number, now: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const apart = at - now
  if (Math.abs(apart) < 45 * second) return format.format(0, 'second')
  const [unit, ms] = steps.find(([, length]) => Math.abs(apart) >= length * 0.95) ?? steps[2]
  return format.format(Math.round(apart / ms), unit)
}

/** The time of day, and the day too where it is another one. */
export function shortTime(at: number, now: number, language: string): string {
  const isToday = startOfDay(at) === startOfDay(now)
  const date = isToday ? {} : ({ month: 'short', day: 'numeric' } as const)
  return new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', ...date }).format(at)
}

export const fullTime = (at: number, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }).format(at)

/** When the day began, where the user is. */
export function startOfDay(at: number): number {
  const date = new Date(at)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}

export const seconds = (ms: number, language: string): string =>
  new Intl.NumberFormat(language, {
    style: 'unit',
    unit: 'second',
    unitDisplay: 'narrow',
    maximumFractionDigits: ms < 10 * second ? 1 : 0,
  }).format(ms / second)
