import { Fault } from '../domain/errors.ts'
import type { Schedule } from '../domain/schedule.ts'
import { parseSchedule } from './schedule.ts'
import { ianaZone, instantOf } from './zone.ts'

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const unitMinutes: Record<string, number> = { m: 1, h: 60, d: 24 * 60, w: 7 * 24 * 60 }

/**
 * Reads a schedule as a person types it: `every-tick`, `once`, `once 2026-04-03T09:00+02:00` (without an offset in the
 * default zone), `every 30m`, `every 2h`, `every 45` (minutes), `daily 09:00`, `weekly mon 09:00`, `cron 0 9 * * 1` or
 * the five fields alone. Throws a Fault (`task/schedule-invalid`).
 */
export const scheduleFromText = (text: string, defaultZone: string): Schedule => {
  const words = text.trim().replace(/\s+/g, ' ')
  const [head = '', ...rest] = words.split(' ')
  const cron = (expression: string) => parseSchedule({ kind: 'cron', expression }, defaultZone)
  switch (head.toLowerCase()) {
    case 'every-tick':
      if (rest.length === 0) return { kind: 'every-tick' }
      break
    case 'once':
      return rest.length === 0 ? { kind: 'once' } : { kind: 'once', at: readTime(rest.join(' '), defaultZone) }
    case 'every': {
      if (/^tick$/i.test(rest.join(' '))) return { kind: 'every-tick' }
      const [, count, unit] = /^(\d+)? ?(m|h|d|w|min|minutes?|hours?|days?|weeks?)?$/i.exec(rest.join(' ')) ?? []
      if (count === undefined && unit === undefined) break
      const minutes = Number(count ?? 1) * (unitMinutes[(unit ?? 'm').charAt(0).toLowerCase()] ?? 1)
      return parseSchedule({ kind: 'every', minutes }, defaultZone)
    }
    case 'daily': {
      const time = readClock(rest[0])
      if (time !== undefined && rest.length === 1) return cron(`${time} * * *`)
      break
    }
    case 'weekly': {
      const time = readClock(rest[1])
      const weekday = weekdays.findIndex((name) => isShortFor(rest[0] ?? '', name))
      if (time !== undefined && weekday !== -1 && rest.length === 2) return cron(`${time} * * ${weekday}`)
      break
    }
    case 'cron':
      return cron(rest.join(' '))
    default:
      if (/^[\d*]/.test(head) && rest.length >= 3) return cron(words)
  }
  throw invalid(text, 'Say "every-tick", "once", "every 30m", "daily 09:00", "weekly mon 09:00" or "cron 0 9 * * 1".')
}

const isShortFor = (word: string, name: string): boolean =>
  word.length >= 3 && name.toLowerCase().startsWith(word.toLowerCase())

/** `9:05` as the first two fields of cron. */
const readClock = (text: string | undefined): string | undefined => {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text ?? '') ?? []
  return hours === undefined ? undefined : `${Number(minutes)} ${Number(hours)}`
}

const readTime = (text: string, zone: string): string => {
  const [, date, time, seconds, offset] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?\s?(Z|[+-]\d\d:\d\d)?$/i.exec(text) ?? []
  const example = 'Give date and time, like "once 2026-04-03T09:00+02:00".'
  if (date === undefined || time === undefined) throw invalid(text, example)
  const local = `${date}T${time}${seconds ?? ':00'}`
  const wall = Date.parse(`${local}Z`)
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, 16) !== `${date}T${time}`)
    throw invalid(text, example)
  if (offset === undefined) return new Date(instantOf(wall, knownZone(zone))).toISOString()
  const at = `${local}${offset.toUpperCase()}`
  if (Number.isNaN(Date.parse(at))) throw invalid(text, example)
  return at
}

const knownZone = (zone: string): string => {
  const known = ianaZone(zone)
  if (known === undefined) throw invalid(zone, 'The time zone is not known. Give an IANA name, like "Europe/Berlin".')
  return known
}

const invalid = (text: string, advice: string): Fault =>
  Fault.use('task/schedule-invalid', `The schedule "${text.slice(0, 100)}" is not understood. ${advice}`, {
    field: 'schedule',
    text: text.slice(0, 100),
  })

/** A schedule in words for people. */
export const formatSchedule = (schedule: Schedule): string => {
  switch (schedule.kind) {
    case 'every-tick':
      return 'every tick'
    case 'once':
      return schedule.at === undefined ? 'once' : `once, ${formatTime(schedule.at)}`
    case 'every':
      return formatMinutes(schedule.minutes)
    case 'cron':
      return `${formatCron(schedule.expression)}${schedule.timezone === undefined ? '' : ` (${schedule.timezone})`}`
    default:
      return schedule satisfies never
  }
}

const formatTime = (at: string): string => {
  const [, date, time, offset] = /^(.{10})T(.{5})[^Z+-]*(.*)$/.exec(at) ?? []
  return `${date} ${time} ${offset === 'Z' ? 'UTC' : offset}`
}

const formatMinutes = (minutes: number): string => {
  for (const [unit, size] of [
    ['day', 24 * 60],
    ['hour', 60],
  ] as const)
    if (minutes % size === 0) return minutes === size ? `every ${unit}` : `every ${minutes / size} ${unit}s`
  return minutes === 1 ? 'every minute' : `every ${minutes} minutes`
}

const formatCron = (expression: string): string => {
  const [, minutes = '', hours = '', days = ''] = /^(\d+) (\d+) \* \* (\*|1-5|[0-7])$/.exec(expression) ?? []
  if (days === '') return `cron ${expression}`
  const time = `${hours.padStart(2, '0')}:${minutes.padStart(2, '0')}`
  if (days === '*') return `daily at ${time}`
  return days === '1-5' ? `Monday to Friday at ${time}` : `${weekdays[Number(days) % 7]}s at ${time}`
}
