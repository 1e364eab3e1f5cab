import { day, minute } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'
import { instantOf, wallTimeAt } from './zone.ts'

/** Local times like `22:00`; `from` belongs to the quiet hours, `to` does not. Equal times mean that there are none. */
export interface QuietHours {
  from: string
  to: string
}

/** Moves an occurrence that falls into the quiet hours to their end; never swallows one, never moves one back. */
export const quietHours = (at: number, hours: QuietHours | null, zone: string): number => {
  if (hours === null) return at
  const [from, to] = [timeOfDay(hours.from), timeOfDay(hours.to)]
  const wall = wallTimeAt(at, zone)
  const midnight = Math.floor(wall / day) * day
  const time = wall - midnight
  const quiet = from <= to ? from <= time && time < to : time >= from || time < to
  if (!quiet) return at
  // Where clocks go back, the end may have come once already: then the hours are over.
  return Math.max(at, instantOf(midnight + to + (time < to ? 0 : day), zone))
}

const timeOfDay = (text: string): number => {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  if (hours === undefined)
    throw Fault.use(
      'task/quiet-hours-invalid',
      `The quiet hours' time "${text.slice(0, 100)}" is not understood. Give hours and minutes, like "22:00".`,
      { time: text.slice(0, 100) },
    )
  return (Number(hours) * 60 + Number(minutes)) * minute
}
