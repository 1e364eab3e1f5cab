import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { day, hour, minute } from '../../src/domain/clock.ts'
import { Fault } from '../../src/domain/errors.ts'
import type { Schedule } from '../../src/domain/schedule.ts'
import { firstRun, nextRun, parseSchedule } from '../../src/tasks/schedule.ts'

const utc = (text: string) => Date.parse(`${text}Z`)
const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString().slice(0, 16))
const cron = (expression: string, timezone = 'Europe/Berlin'): Schedule => ({ kind: 'cron', expression, timezone })

/** The occurrences after `from` until `to`, each found from the one before, in UTC. */
const runs = (schedule: Schedule, from: string, to: string): (string | null)[] => {
  const found: (string | null)[] = []
  let at = nextRun(schedule, utc(from), null, 'UTC')
  for (; at !== null && at <= utc(to); at = nextRun(schedule, at, at, 'UTC')) found.push(iso(at))
  return found
}

const faultOf = (input: unknown, zone = 'Europe/Berlin'): Fault => {
  try {
    parseSchedule(input, zone)
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  throw new Error(`${JSON.stringify(input)} was not refused`)
}

describe('parsing a schedule', () => {
  it('gives back what is valid, with the zone of a cron schedule filled in and spelled as it should be', () => {
    expect(parseSchedule(undefined, 'UTC')).toEqual({ kind: 'every-tick' })
    for (const schedule of [
      { kind: 'every-tick' },
      { kind: 'once' },
      { kind: 'once', at: '2026-04-03T09:00:00+02:00' },
      { kind: 'every', minutes: 30 },
    ])
      expect(parseSchedule(schedule, 'UTC')).toEqual(schedule)
    expect(parseSchedule({ kind: 'cron', expression: ' 0  9 * * 1 ' }, 'Asia/Tokyo')).toEqual(
      cron('0 9 * * 1', 'Asia/Tokyo'),
    )
    expect(parseSchedule({ kind: 'cron', expression: '0 9 * * 1', timezone: 'europe/berlin' }, 'UTC')).toEqual(
      cron('0 9 * * 1'),
    )
    expect(parseSchedule({ kind: 'cron', expression: '0 9 * * 1', timezone: 'Asia/Kolkata' }, 'UTC')).toEqual(
      cron('0 9 * * 1', 'Asia/Kolkata'),
    )
  })

  it.each([
    [null, 'kind'],
    ['0 9 * * 1', 'kind'],
    [{}, 'kind'],
    [{ kind: 'weekly' }, 'kind'],
    [{ kind: 'once', at: 'tomorrow' }, 'at'],
    [{ kind: 'once', at: '2026-02-30T09:00:00Z' }, 'at'],
    [{ kind: 'once', at: '2026-04-03T09:00:00' }, 'at'],
    [{ kind: 'every', minutes: 0 }, 'minutes'],
    [{ kind: 'every', minutes: 1.5 }, 'minutes'],
    [{ kind: 'every', minutes: '30' }, 'minutes'],
    [{ kind: 'every', minutes: Number.POSITIVE_INFINITY }, 'minutes'],
    [{ kind: 'every' }, 'minutes'],
    [{ kind: 'every', minutes: 5, unit: 'h' }, 'unit'],
    [{ kind: 'cron', expression: '0 9 * * 1', timezone: 'Mars/Olympus' }, 'timezone'],
    [{ kind: 'cron', expression: '0 9 * * 1', timezone: '+02:00' }, 'timezone'],
    [{ kind: 'cron', expression: '0 9 * * 1', timezone: '' }, 'timezone'],
    [{ kind: 'cron' }, 'expression'],
  ])('refuses %j and names the field %s', (input, field) => {
    const fault = faultOf(input)
    expect(fault).toMatchObject({ code: 'task/schedule-invalid', kind: 'use', data: { field } })
    expect(fault.message).toContain(field)
    expect(fault.message).toMatch(/like ["{]/)
  })

  it.each([
    '',
    '* * * *',
    '0 0 9 * * 1',
    '0 0 9 * * 1 2026',
    '@daily',
    '60 9 * * *',
    '0 24 * * *',
    '0 9 0 * *',
    '0 9 32 * *',
    '0 9 * 13 *',
    '0 9 * * 8',
    '*/0 * * * *',
    '5/5 * * * *',
    '30-10 * * * *',
    '? 9 * * *',
    '1,, * * * *',
    '0 9 * * +1',
    'a b c d e',
    '0 9 30 2 *',
    '0 9 31 4,6,9,11 *',
    '-1 9 * * *',
  ])('refuses the expression "%s"', (expression) => {
    const fault = faultOf({ kind: 'cron', expression })
    expect(fault).toMatchObject({ code: 'task/schedule-invalid', kind: 'use', data: { field: 'expression' } })
    expect(fault.message).toContain('"0 9 * * 1"')
  })

  it('names the default zone when that is what is wrong', () => {
    expect(faultOf({ kind: 'cron', expression: '0 9 * * 1' }, 'Nowhere').message).toContain('"Nowhere"')
  })

  it('is a schedule or a Fault, whatever is given', () => {
    const field = fc.constantFrom(
      '0',
      '9',
      '*',
      '*/5',
      '1-5',
      '7',
      'MON',
      'L',
      '29',
      '2',
      '31',
      '15W',
      '5#2',
      '?',
      '99',
      '1,2',
      'x',
    )
    const expression = fc.oneof(
      fc.array(field, { minLength: 4, maxLength: 6 }).map((fields) => fields.join(' ')),
      fc.string(),
    )
    const input = fc.oneof(
      fc.anything(),
      expression.map((text) => ({ kind: 'cron', expression: text })),
    )
    fc.assert(
      fc.property(input, (any) => {
        try {
          const schedule = parseSchedule(any, 'Europe/Berlin')
          const after = utc('2026-03-28T12:00')
          const next = nextRun(schedule, after, null, 'UTC')
          if (next !== null) expect(next).toBeGreaterThan(after)
        } catch (error) {
          expect(error).toBeInstanceOf(Fault)
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('the weekdays of cron', () => {
  it('are Monday 1 to Saturday 6, and Sunday 0 or 7', () => {
    // 2026-06-01 is a Monday.
    expect(iso(nextRun(cron('0 9 * * 1', 'UTC'), utc('2026-06-01T00:00'), null, 'UTC'))).toBe('2026-06-01T09:00')
    expect(iso(nextRun(cron('0 9 * * 6', 'UTC'), utc('2026-06-01T00:00'), null, 'UTC'))).toBe('2026-06-06T09:00')
    for (const sunday of ['0', '7', 'sun'])
      expect(iso(nextRun(cron(`0 9 * * ${sunday}`, 'UTC'), utc('2026-06-01T00:00'), null, 'UTC'))).toBe(
        '2026-06-07T09:00',
      )
    expect(runs(cron('0 9 * * 6-7', 'UTC'), '2026-06-01T00:00', '2026-06-14T00:00')).toEqual([
      '2026-06-06T09:00',
      '2026-06-07T09:00',
      '2026-06-13T09:00',
    ])
  })
})

describe('the first run', () => {
  const created = utc('2026-06-01T07:00')
  it('of an every-tick task has no time of its own', () => {
    expect(firstRun({ kind: 'every-tick' }, created, 'UTC')).toBeNull()
  })
  it('of a once task is its time, or the moment of its making', () => {
    expect(firstRun({ kind: 'once' }, created, 'UTC')).toBe(created)
    expect(firstRun({ kind: 'once', at: '2026-06-02T09:00:00+02:00' }, created, 'UTC')).toBe(utc('2026-06-02T07:00'))
    expect(firstRun({ kind: 'once', at: '2020-01-01T00:00:00Z' }, created, 'UTC')).toBe(utc('2020-01-01T00:00'))
  })
  it('of an every task comes at once', () => {
    expect(firstRun({ kind: 'every', minutes: 30 }, created, 'UTC')).toBe(created)
  })
  it('of a cron task is its first occurrence, not the moment of its making even if that would be one', () => {
    expect(iso(firstRun(cron('0 9 * * 1'), created, 'UTC'))).toBe('2026-06-08T07:00')
    expect(iso(firstRun(cron('0 9 * * 1'), created - 1, 'UTC'))).toBe('2026-06-01T07:00')
    expect(iso(firstRun({ kind: 'cron', expression: '0 9 * * *' }, created, 'Asia/Tokyo'))).toBe('2026-06-02T00:00')
  })
})

describe('the next run', () => {
  it('of an every-tick task and of a once task whose time has come is none', () => {
    expect(nextRun({ kind: 'every-tick' }, 0, 0, 'UTC')).toBeNull()
    expect(nextRun({ kind: 'once' }, 0, 0, 'UTC')).toBeNull()
    const once: Schedule = { kind: 'once', at: '2026-06-02T09:00:00Z' }
    expect(iso(nextRun(once, utc('2026-06-02T08:59'), null, 'UTC'))).toBe('2026-06-02T09:00')
    expect(nextRun(once, utc('2026-06-02T09:00'), null, 'UTC')).toBeNull()
  })

  it('of an every task keeps its phase however late it ran, and is one after any downtime', () => {
    const every: Schedule = { kind: 'every', minutes: 30 }
    const due = utc('2026-06-01T07:00')
    expect(iso(nextRun(every, due, due, 'UTC'))).toBe('2026-06-01T07:30')
    expect(iso(nextRun(every, due + 7 * minute, due, 'UTC'))).toBe('2026-06-01T07:30')
    expect(iso(nextRun(every, due + 3 * day + 31 * minute, due, 'UTC'))).toBe('2026-06-04T08:00')
    expect(iso(nextRun(every, due, null, 'UTC'))).toBe('2026-06-01T07:30')
  })

  it('of an every task is at most a period away when the clock has gone back', () => {
    const every: Schedule = { kind: 'every', minutes: 30 }
    const due = utc('2026-06-01T07:00')
    expect(iso(nextRun(every, due - 3 * hour - minute, due, 'UTC'))).toBe('2026-06-01T04:00')
  })

  it('of a cron task after downtime is one to come, however many were missed', () => {
    expect(iso(nextRun(cron('0 9 * * *'), utc('2026-06-20T12:00'), utc('2026-06-01T07:00'), 'UTC'))).toBe(
      '2026-06-21T07:00',
    )
  })

  it('crosses the end of a year, and waits for a leap day further away than a timer reaches', () => {
    expect(iso(nextRun(cron('0 0 1 1 *'), utc('2026-12-31T22:59'), null, 'UTC'))).toBe('2026-12-31T23:00')
    expect(iso(nextRun(cron('59 23 31 12 *', 'UTC'), utc('2026-12-31T23:59'), null, 'UTC'))).toBe('2027-12-31T23:59')
    expect(iso(nextRun(cron('0 9 29 2 *', 'UTC'), utc('2026-03-01T00:00'), null, 'UTC'))).toBe('2028-02-29T09:00')
    expect(iso(nextRun(cron('0 9 29 2 *', 'UTC'), utc('2097-01-01T00:00'), null, 'UTC'))).toBe('2104-02-29T09:00')
  })

  it('leaves out months without the day, and comes on the weekday as well as on the day when both are given', () => {
    expect(runs(cron('0 9 31 * *', 'UTC'), '2026-01-01T00:00', '2026-06-01T00:00')).toEqual([
      '2026-01-31T09:00',
      '2026-03-31T09:00',
      '2026-05-31T09:00',
    ])
    expect(runs(cron('0 9 15 * 1', 'UTC'), '2026-06-09T00:00', '2026-06-22T23:00')).toEqual([
      '2026-06-15T09:00',
      '2026-06-22T09:00',
    ])
  })
})

describe('a change of daylight saving', () => {
  it('lets an occurrence that does not exist come at the next minute there is', () => {
    expect(runs(cron('30 2 * * *'), '2026-03-28T00:00', '2026-03-30T12:00')).toEqual([
      '2026-03-28T01:30',
      '2026-03-29T01:00',
      '2026-03-30T00:30',
    ])
    expect(runs(cron('30 2 * * *', 'America/New_York'), '2026-03-07T12:00', '2026-03-09T12:00')).toEqual([
      '2026-03-08T07:00',
      '2026-03-09T06:30',
    ])
    expect(runs(cron('15 2 * * *', 'Australia/Lord_Howe'), '2026-10-02T20:00', '2026-10-04T20:00')).toEqual([
      '2026-10-03T15:30',
      '2026-10-04T15:15',
    ])
    expect(runs(cron('0 3 * * *', 'Pacific/Chatham'), '2026-09-25T20:00', '2026-09-27T20:00')).toEqual([
      '2026-09-26T14:00',
      '2026-09-27T13:15',
    ])
  })

  it('lets several that do not exist come as one', () => {
    expect(runs(cron('0,20,40 2 * * *'), '2026-03-28T12:00', '2026-03-30T00:20')).toEqual([
      '2026-03-29T01:00',
      '2026-03-30T00:00',
      '2026-03-30T00:20',
    ])
    expect(runs(cron('*/30 * * * *'), '2026-03-29T00:00', '2026-03-29T02:00')).toEqual([
      '2026-03-29T00:30',
      '2026-03-29T01:00',
      '2026-03-29T01:30',
      '2026-03-29T02:00',
    ])
    expect(runs(cron('30 * * * *'), '2026-03-29T00:00', '2026-03-29T02:00')).toEqual([
      '2026-03-29T00:30',
      '2026-03-29T01:00',
      '2026-03-29T01:30',
    ])
  })

  it('lets an occurrence that exists twice come once, the first time', () => {
    expect(runs(cron('30 2 * * *'), '2026-10-24T12:00', '2026-10-26T12:00')).toEqual([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ])
    expect(runs(cron('30 1 * * *', 'America/New_York'), '2026-10-31T12:00', '2026-11-02T12:00')).toEqual([
      '2026-11-01T05:30',
      '2026-11-02T06:30',
    ])
    expect(runs(cron('45 1 * * *', 'Australia/Lord_Howe'), '2026-04-03T20:00', '2026-04-05T20:00')).toEqual([
      '2026-04-04T14:45',
      '2026-04-05T15:15',
    ])
    expect(runs(cron('0 3 * * *', 'Pacific/Chatham'), '2026-04-03T20:00', '2026-04-05T20:00')).toEqual([
      '2026-04-04T13:15',
      '2026-04-05T14:15',
    ])
    expect(runs(cron('15,45 2 * * *'), '2026-10-24T23:00', '2026-10-25T12:00')).toEqual([
      '2026-10-25T00:15',
      '2026-10-25T00:45',
    ])
    expect(runs(cron('0 * * * *'), '2026-10-24T23:00', '2026-10-25T03:00')).toEqual([
      '2026-10-25T00:00',
      '2026-10-25T02:00',
      '2026-10-25T03:00',
    ])
  })

  it('is not repeated when the search begins in the repeated hour', () => {
    for (const inside of ['2026-10-25T01:00', '2026-10-25T01:15', '2026-10-25T01:30', '2026-10-25T01:59'])
      expect(iso(nextRun(cron('30 2 * * *'), utc(inside), null, 'UTC'))).toBe('2026-10-26T01:30')
  })

  it('survives a day that a zone left out', () => {
    expect(runs(cron('0 9 * * *', 'Pacific/Apia'), '2011-12-28T20:00', '2011-12-31T20:00')).toEqual([
      '2011-12-29T19:00',
      '2011-12-30T10:00',
      '2011-12-30T19:00',
      '2011-12-31T19:00',
    ])
  })

  it('never makes an occurrence come early, twice or not at all', () => {
    const zone = fc.constantFrom(
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Pacific/Chatham',
      'UTC',
      'Asia/Kathmandu',
      'Antarctica/Troll',
    )
    const time = fc.tuple(fc.integer({ min: 0, max: 59 }), fc.integer({ min: 0, max: 23 }))
    const start = fc.integer({ min: utc('2026-01-01T00:00'), max: utc('2027-01-01T00:00') })
    fc.assert(
      fc.property(zone, time, start, (timezone, [minutes, hours], from) => {
        const schedule = cron(`${minutes} ${hours} * * *`, timezone)
        const shown = new Intl.DateTimeFormat('en-CA', {
          timeZone: timezone,
          dateStyle: 'short',
          timeStyle: 'short',
          hourCycle: 'h23',
        })
        const days = new Set<string>()
        let at = from
        for (let run = 0; run < 40; run++) {
          const next = nextRun(schedule, at, at, 'UTC') ?? 0
          expect(next).toBeGreaterThan(at)
          if (run > 0) expect(next - at).toBeLessThanOrEqual(26 * hour)
          const [date = '', clock = ''] = shown.format(next).split(', ')
          expect(days.has(date)).toBe(false)
          days.add(date)
          const [h = 0, m = 0] = clock.split(':').map(Number)
          const late = h * 60 + m - hours * 60 - minutes
          expect(late).toBeGreaterThanOrEqual(0)
          expect(late).toBeLessThanOrEqual(120)
          at = next
        }
      }),
      { numRuns: 20 },
    )
  })
})
