import { day } from '../domain/clock.ts'
import type { Day } from '../domain/usage.ts'
import { instantOf, wallTimeAt } from '../tasks/zone.ts'

/** The calendar day that it is in the zone, as `2026-11-30`. */
export const dayAt = (at: number, zone: string): Day => new Date(wallTimeAt(at, zone)).toISOString().slice(0, 10)

/** When the next calendar day begins in the zone: at midnight, or where clocks leave midnight out, when they go on. */
export const nextDayAt = (at: number, zone: string): number =>
  instantOf((Math.floor(wallTimeAt(at, zone) / day) + 1) * day, zone)

/** The day so many days earlier. */
export const daysBefore = (from: Day, days: number): Day =>
  new Date(Date.parse(`${from}T00:00:00Z`) - days * day).toISOString().slice(0, 10)

/** What a clock on the wall shows, as 00:00. */
export const timeOfDay = (at: number, zone: string): string =>
  new Date(wallTimeAt(at, zone)).toISOString().slice(11, 16)
