import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/domain/errors.ts'
import { parseSchedule } from '../../src/tasks/schedule.ts'
import { formatSchedule, scheduleFromText } from '../../src/tasks/schedule-text.ts'

const zone = 'Europe/Berlin'
const cron = (expression: string) => ({ kind: 'cron', expression, timezone: zone })

describe('a schedule as a person types it', () => {
  it.each([
    ['every-tick', { kind: 'every-tick' }],
    [' Every tick ', { kind: 'every-tick' }],
    ['once', { kind: 'once' }],
    ['once 2026-04-03T09:00+02:00', { kind: 'once', at: '2026-04-03T09:00:00+02:00' }],
    ['once 2026-04-03T09:00:30Z', { kind: 'once', at: '2026-04-03T09:00:30Z' }],
    ['once 2026-04-03 09:00', { kind: 'once', at: '2026-04-03T07:00:00.000Z' }],
    ['once 2026-03-29T02:30', { kind: 'once', at: '2026-03-29T01:00:00.000Z' }],
    ['every 30m', { kind: 'every', minutes: 30 }],
    ['every 2h', { kind: 'every', minutes: 120 }],
    ['every 1d', { kind: 'every', minutes: 1440 }],
    ['every 45', { kind: 'every', minutes: 45 }],
    ['every 3 hours', { kind: 'every', minutes: 180 }],
    ['every hour', { kind: 'every', minutes: 60 }],
    ['every week', { kind: 'every', minutes: 10080 }],
    ['cron 0 9 * * 1', cron('0 9 * * 1')],
    ['0 9 * * 1', cron('0 9 * * 1')],
    ['*/15  8-17 * * mon-fri', cron('*/15 8-17 * * mon-fri')],
    ['daily 09:00', cron('0 9 * * *')],
    ['daily 7:05', cron('5 7 * * *')],
    ['weekly mon 09:00', cron('0 9 * * 1')],
    ['Weekly Sunday 23:59', cron('59 23 * * 0')],
  ])('"%s" is %j', (text, schedule) => {
    expect(scheduleFromText(text, zone)).toEqual(schedule)
    expect(parseSchedule(scheduleFromText(text, zone), 'UTC')).toEqual(schedule)
  })

  it.each([
    '',
    'sometimes',
    'every',
    'every 0m',
    'every -5',
    'every 5 parsecs',
    'every 1.5h',
    'every 600d',
    'every-tick now',
    'once soon',
    'once 2026-02-30T09:00Z',
    'once 2026-04-03',
    'once 2026-04-03T25:00Z',
    'once 2026-04-03T09:00+99:00',
    'daily',
    'daily 24:00',
    'daily 9',
    'daily 9:00 10:00',
    'weekly 09:00',
    'weekly xxx 09:00',
    'weekly m 09:00',
    'cron',
    'cron 0 9 * *',
    '0 9 * * 1 2026',
    '0 9 30 2 *',
    '61 * * * *',
    'constructor',
    '__proto__',
  ])('refuses "%s" with an example', (text) => {
    expect(() => scheduleFromText(text, zone)).toThrow(Fault)
    expect(() => scheduleFromText(text, zone)).toThrow(/"/)
  })

  it('needs a known zone only where the zone matters', () => {
    expect(scheduleFromText('once 2026-04-03T09:00Z', 'Nowhere')).toEqual({ kind: 'once', at: '2026-04-03T09:00:00Z' })
    expect(() => scheduleFromText('once 2026-04-03T09:00', 'Nowhere')).toThrow('"Nowhere"')
    expect(() => scheduleFromText('daily 09:00', 'Nowhere')).toThrow('"Nowhere"')
  })

  it('is a valid schedule or a Fault, whatever is typed', () => {
    const word = fc.constantFrom(
      'every',
      'once',
      'daily',
      'weekly',
      'cron',
      'mon',
      '09:00',
      '30m',
      '0',
      '9',
      '*',
      '2026-04-03T09:00',
      'x',
      '',
      '-1',
      '99999999999d',
    )
    const text = fc.oneof(
      fc.string(),
      fc.array(word, { maxLength: 7 }).map((words) => words.join(' ')),
    )
    fc.assert(
      fc.property(text, (any) => {
        try {
          const schedule = scheduleFromText(any, zone)
          expect(parseSchedule(schedule, zone)).toEqual(schedule)
          expect(formatSchedule(schedule)).not.toBe('')
        } catch (error) {
          expect(error).toBeInstanceOf(Fault)
        }
      }),
      { numRuns: 300 },
    )
  })
})

it.each([
  ['every-tick', 'every tick'],
  ['once', 'once'],
  ['once 2026-04-03T09:00+02:00', 'once, 2026-04-03 09:00 +02:00'],
  ['once 2026-04-03T09:00:30.5Z', 'once, 2026-04-03 09:00 UTC'],
  ['every 1m', 'every minute'],
  ['every 30m', 'every 30 minutes'],
  ['every 90m', 'every 90 minutes'],
  ['every 2h', 'every 2 hours'],
  ['every 1d', 'every day'],
  ['every 14d', 'every 14 days'],
  ['daily 09:00', 'daily at 09:00 (Europe/Berlin)'],
  ['weekly mon 7:05', 'Mondays at 07:05 (Europe/Berlin)'],
  ['0 9 * * 7', 'Sundays at 09:00 (Europe/Berlin)'],
  ['0 9 * * 1-5', 'Monday to Friday at 09:00 (Europe/Berlin)'],
  ['0 9 1 * *', 'cron 0 9 1 * * (Europe/Berlin)'],
])('shows "%s" to people as "%s"', (text, shown) => {
  expect(formatSchedule(scheduleFromText(text, zone))).toBe(shown)
})
