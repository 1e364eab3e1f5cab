// Placeholder until the real one lands: overwrite freely.
import { Cron } from 'croner'
import { Schedule } from '../domain/schedule.ts'

export const parseSchedule = (input: unknown, _zone: string): Schedule => Schedule.parse(input)
export const formatSchedule = (schedule: Schedule): string => schedule.kind
export const firstRun = (s: Schedule, at: number, zone: string): number | null =>
  s.kind === 'every-tick'
    ? null
    : s.kind === 'cron'
      ? nextRun(s, at, null, zone)
      : s.kind === 'once' && s.at
        ? Date.parse(s.at)
        : at
export const nextRun = (s: Schedule, after: number, lastDue: number | null, zone: string): number | null => {
  if (s.kind === 'cron')
    return new Cron(s.expression, { timezone: s.timezone ?? zone }).nextRun(new Date(after))?.getTime() ?? null
  if (s.kind === 'every')
    return (lastDue ?? after) + Math.ceil((after - (lastDue ?? after) + 1) / (s.minutes * 60_000)) * s.minutes * 60_000
  return null
}
export const isTooLate = (_: {
  catchUp: 'once' | 'skip'
  maxLatenessMs: number | null
  schedule: Schedule
  due: number
  now: number
  zone: string
}) => false
export const quietHours = (at: number, _hours: { from: string; to: string } | null, _zone: string): number => at
