import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hour } from '../../src/domain/clock.ts'
import { dayAt, daysBefore, nextDayAt, timeOfDay } from '../../src/house/local-day.ts'

const iso = (at: number) => new Date(at).toISOString()

describe('the day of the calendar', () => {
  it.each([
    ['Europe/Berlin', '2026-11-30T22:59:59Z', '2026-11-30'],
    ['Europe/Berlin', '2026-11-30T23:00:00Z', '2026-12-01'],
    ['America/Los_Angeles', '2026-12-01T07:59:59Z', '2026-11-30'],
    ['Asia/Kathmandu', '2026-11-30T18:15:00Z', '2026-12-01'],
    ['Pacific/Kiritimati', '2026-11-30T10:00:00Z', '2026-12-01'],
    ['UTC', '2026-12-31T23:59:59.999Z', '2026-12-31'],
  ])('in %s at %s is %s', (zone, at, day) => {
    expect(dayAt(Date.parse(at), zone)).toBe(day)
  })

  it('so many days earlier goes by the calendar', () => {
    expect([daysBefore('2026-11-30', 0), daysBefore('2026-03-01', 1), daysBefore('2028-03-01', 1)]).toEqual([
      '2026-11-30',
      '2026-02-28',
      '2028-02-29',
    ])
    expect(daysBefore('2026-01-01', 366)).toBe('2024-12-31')
  })
})

describe('the next day', () => {
  it.each([
    ['on an ordinary day', 'Europe/Berlin', '2026-11-30T12:00:00Z', '2026-11-30T23:00:00.000Z'],
    ['from midnight itself', 'Europe/Berlin', '2026-11-29T23:00:00Z', '2026-11-30T23:00:00.000Z'],
    ['after 23 hours where clocks go forward', 'Europe/Berlin', '2026-03-29T12:00:00Z', '2026-03-29T22:00:00.000Z'],
    ['after 25 hours where they go back', 'Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00.000Z'],
    ['when clocks leave midnight out', 'Africa/Cairo', '2026-04-23T12:00:00Z', '2026-04-23T22:00:00.000Z'],
    ['when the hour before midnight comes twice', 'Africa/Cairo', '2026-10-29T20:30:00Z', '2026-10-29T22:00:00.000Z'],
    ['when a whole day is left out', 'Pacific/Apia', '2011-12-30T05:00:00Z', '2011-12-30T10:00:00.000Z'],
  ])('begins %s', (_, zone, at, next) => {
    expect(iso(nextDayAt(Date.parse(at), zone))).toBe(next)
  })

  it('is the first moment that another day is shown, in every zone and at any time', () => {
    const zones = fc.constantFrom(
      'Europe/Berlin',
      'Africa/Cairo',
      'America/Havana',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
    )
    const times = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2035, 0, 1) })
    fc.assert(
      fc.property(zones, times, (zone, at) => {
        const next = nextDayAt(at, zone)
        expect(next).toBeGreaterThan(at)
        expect(next - at).toBeLessThanOrEqual(25 * hour)
        expect(dayAt(next - 1, zone)).toBe(dayAt(at, zone))
        expect(daysBefore(dayAt(next, zone), 1)).toBe(dayAt(at, zone))
      }),
    )
  })

  it('begins at a time of day that can be told', () => {
    expect(timeOfDay(nextDayAt(Date.parse('2026-11-30T12:00:00Z'), 'Europe/Berlin'), 'Europe/Berlin')).toBe('00:00')
    expect(timeOfDay(nextDayAt(Date.parse('2026-04-23T12:00:00Z'), 'Africa/Cairo'), 'Africa/Cairo')).toBe('01:00')
  })
})
