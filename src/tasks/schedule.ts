import type { z } from 'zod'
import { minute } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'
import { Schedule } from '../domain/schedule.ts'
import { nextCron, parseCron } from './cron.ts'
import { ianaZone } from './zone.ts'

/**
 * Checks a schedule from outside: nothing given means `every-tick`, a cron schedule without a zone gets `defaultZone`.
 * Throws a Fault (`task/schedule-invalid`) that names the field and shows how it should look.
 */
export const parseSchedule = (input: unknown, defaultZone: string): Schedule => {
  if (input === undefined) return { kind: 'every-tick' }
  const result = Schedule.safeParse(input)
  if (!result.success) throw invalid(result.error.issues[0])
  const schedule = result.data
  if (schedule.kind !== 'cron') return schedule
  const given = schedule.timezone ?? defaultZone
  const timezone = ianaZone(given)
  if (timezone === undefined)
    throw Fault.use(
      'task/schedule-invalid',
      `The schedule's timezone "${given.slice(0, 100)}" is not known. Give an IANA name, like "Europe/Berlin".`,
      { field: 'timezone' },
    )
  return { kind: 'cron', expression: parseCron(schedule.expression), timezone }
}

const examples: Record<string, string> = {
  kind: '{ "kind": "cron", "expression": "0 9 * * 1", "timezone": "Europe/Berlin" }, or "every-tick", "once", "every"',
  at: '{ "kind": "once", "at": "2026-04-03T09:00:00+02:00" }',
  minutes: '{ "kind": "every", "minutes": 30 }, in whole minutes from 1 to 527040',
  expression: '{ "kind": "cron", "expression": "0 9 * * 1", "timezone": "Europe/Berlin" }',
  timezone: '{ "kind": "cron", "expression": "0 9 * * 1", "timezone": "Europe/Berlin" }',
}

const invalid = (issue: z.core.$ZodIssue | undefined): Fault => {
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  const field = unknown ?? String(issue?.path[0] ?? 'kind')
  const what =
    unknown !== undefined
      ? `The schedule's field "${unknown.slice(0, 100)}" does not belong to its kind`
      : `The schedule's ${field} is not valid`
  return Fault.use('task/schedule-invalid', `${what}. Give it like ${examples[field] ?? examples.kind}.`, { field })
}

/**
 * When a new task is first due, in milliseconds UTC: null for `every-tick`, which has no time of its own; at once for
 * `every` and for `once` without a time; for cron the first occurrence after its making, never the moment itself.
 */
export const firstRun = (schedule: Schedule, createdAt: number, zone: string): number | null => {
  switch (schedule.kind) {
    case 'every-tick':
      return null
    case 'once':
      return schedule.at === undefined ? createdAt : Date.parse(schedule.at)
    case 'every':
      return createdAt
    case 'cron':
      return nextCron(schedule.expression, schedule.timezone ?? zone, createdAt)
    default:
      return schedule satisfies never
  }
}

/**
 * The first occurrence strictly after `after`, so that however many were missed only one run is made up for. `every`
 * keeps the phase of `lastDue` and does not drift with late runs; a clock that went back delays it by one period at most.
 * Null for `every-tick`, and for `once` when its time has come: it has no other.
 */
export const nextRun = (schedule: Schedule, after: number, lastDue: number | null, zone: string): number | null => {
  switch (schedule.kind) {
    case 'every-tick':
      return null
    case 'once': {
      const at = schedule.at === undefined ? after : Date.parse(schedule.at)
      return at > after ? at : null
    }
    case 'every': {
      const period = schedule.minutes * minute
      const anchor = lastDue ?? after
      return anchor + (Math.floor((after - anchor) / period) + 1) * period
    }
    case 'cron':
      return nextCron(schedule.expression, schedule.timezone ?? zone, after)
    default:
      return schedule satisfies never
  }
}
