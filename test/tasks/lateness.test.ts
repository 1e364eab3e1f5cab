import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { day, hour, minute } from '../../src/domain/clock.ts'
import type { Schedule } from '../../src/domain/schedule.ts'
import { isTooLate, lateness } from '../../src/tasks/lateness.ts'
import { nextRun } from '../../src/tasks/schedule.ts'

const zone = 'Europe/Berlin'
const utc = (text: string) => Date.parse(`${text}Z`)
const daily: Schedule = { kind: 'cron', expression: '0 9 * * *', timezone: zone }
const hourly: Schedule = { kind: 'every', minutes: 60 }
const due = utc('2026-06-01T07:00')

describe('lateness', () => {
  it('is the age of the occurrence, and never negative', () => {
    expect(lateness({ schedule: daily, due, now: due + 3 * minute, zone })).toBe(3 * minute)
    expect(lateness({ schedule: daily, due, now: due, zone })).toBe(0)
    expect(lateness({ schedule: daily, due, now: due - hour, zone })).toBe(0)
    expect(lateness({ schedule: { kind: 'once' }, due, now: due + 9 * day, zone })).toBe(9 * day)
  })

  it('is that of the latest occurrence when several were missed', () => {
    expect(lateness({ schedule: daily, due, now: due + 3 * day + 2 * hour, zone })).toBe(2 * hour)
    expect(lateness({ schedule: daily, due, now: due + 3 * day, zone })).toBe(0)
    expect(lateness({ schedule: hourly, due, now: due + 5 * hour + 7 * minute, zone })).toBe(7 * minute)
    expect(
      lateness({ schedule: { kind: 'cron', expression: '*/5 * * * *' }, due, now: due + 400 * day + minute, zone }),
    ).toBe(minute)
  })

  it('is never more than the way to the occurrence before', () => {
    const expression = fc.constantFrom(
      '* * * * *',
      '*/7 * * * *',
      '30 2 * * *',
      '0 9 * * 1',
      '0 0 1 * *',
      '0 9 29 2 *',
      '15,45 1-3 * * 0',
    )
    fc.assert(
      fc.property(expression, fc.integer({ min: 0, max: 900 * day }), (pattern, later) => {
        const schedule: Schedule = { kind: 'cron', expression: pattern, timezone: zone }
        const first = nextRun(schedule, utc('2024-01-01T00:00'), null, zone) ?? 0
        const now = first + later
        const latest = now - lateness({ schedule, due: first, now, zone })
        expect(latest).toBeGreaterThanOrEqual(first)
        expect(nextRun(schedule, latest - 1, null, zone)).toBe(latest)
        expect(nextRun(schedule, latest, null, zone)).toBeGreaterThan(now)
      }),
      { numRuns: 100 },
    )
  })
})

describe('an occurrence that was missed', () => {
  const missed = (
    later: number,
    catchUp: 'once' | 'skip',
    maxLatenessMs: number | null = null,
    schedule: Schedule = daily,
  ) => isTooLate({ schedule, due, now: due + later, zone, catchUp, maxLatenessMs })

  it('is made up for after any downtime by default', () => {
    for (const later of [0, minute, 10 * hour, day - 1, 40 * day + 23 * hour]) expect(missed(later, 'once')).toBe(false)
    expect(missed(400 * day, 'once', null, { kind: 'once' })).toBe(false)
  })

  it('is let go when it is later than the task allows', () => {
    expect(missed(2 * hour, 'once', 2 * hour)).toBe(false)
    expect(missed(2 * hour + 1, 'once', 2 * hour)).toBe(true)
    expect(missed(3 * day + hour, 'once', 2 * hour)).toBe(false)
    expect(missed(3 * day + 3 * hour, 'once', 2 * hour)).toBe(true)
  })

  it('is let go by a task that skips, unless it waited for five minutes at most', () => {
    expect(missed(5 * minute, 'skip')).toBe(false)
    expect(missed(5 * minute + 1, 'skip')).toBe(true)
    expect(missed(3 * minute, 'skip', 2 * minute)).toBe(true)
    expect(missed(hour, 'skip', 2 * hour)).toBe(true)
    expect(missed(6 * minute, 'skip', null, { kind: 'once' })).toBe(true)
  })

  it('cannot be of an every-tick task', () => {
    expect(missed(90 * day, 'skip', 0, { kind: 'every-tick' })).toBe(false)
  })
})
