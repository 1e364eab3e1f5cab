import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { day } from '../../src/domain/clock.ts'
import { Fault } from '../../src/domain/errors.ts'
import { quietHours } from '../../src/tasks/quiet-hours.ts'

const utc = (text: string) => Date.parse(`${text}Z`)
const night = { from: '22:00', to: '07:00' }
const moved = (at: string, hours: { from: string; to: string } | null = night, zone = 'Europe/Berlin') =>
  new Date(quietHours(utc(at), hours, zone)).toISOString().slice(0, 16)

describe('quiet hours', () => {
  it('move what falls into them to their end, on the same day or the next', () => {
    expect(moved('2026-06-01T21:00')).toBe('2026-06-02T05:00')
    expect(moved('2026-06-01T23:30')).toBe('2026-06-02T05:00')
    expect(moved('2026-12-31T22:30')).toBe('2027-01-01T06:00')
  })

  it('begin with their first minute and end before their last', () => {
    expect(moved('2026-06-01T20:00')).toBe('2026-06-02T05:00')
    expect(moved('2026-06-01T19:59')).toBe('2026-06-01T19:59')
    expect(moved('2026-06-02T05:00')).toBe('2026-06-02T05:00')
    expect(moved('2026-06-02T04:59')).toBe('2026-06-02T05:00')
  })

  it('may lie within a day', () => {
    expect(moved('2026-06-01T10:30', { from: '12:00', to: '14:00' })).toBe('2026-06-01T12:00')
    expect(moved('2026-06-01T12:30', { from: '12:00', to: '14:00' })).toBe('2026-06-01T12:30')
  })

  it('leave everything alone when there are none', () => {
    expect(moved('2026-06-01T23:30', null)).toBe('2026-06-01T23:30')
    expect(moved('2026-06-01T23:30', { from: '07:00', to: '07:00' })).toBe('2026-06-01T23:30')
  })

  it('end at the next minute there is when their end does not exist', () => {
    expect(moved('2026-03-29T00:30', { from: '22:00', to: '02:30' })).toBe('2026-03-29T01:00')
  })

  it('are over once their end has come, though the clock shows it again', () => {
    expect(moved('2026-10-25T00:10', { from: '22:00', to: '02:30' })).toBe('2026-10-25T00:30')
    expect(moved('2026-10-25T01:10', { from: '22:00', to: '02:30' })).toBe('2026-10-25T01:10')
  })

  it('refuse times that are none', () => {
    for (const time of ['7', '24:00', '07:60', '', 'noon', '-1:00', '07:00:00'])
      expect(() => quietHours(0, { from: '22:00', to: time }, 'UTC')).toThrow(Fault)
  })

  it('never move an occurrence back, nor by more than a day and a change of clocks', () => {
    const time = fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
      .map(([h, m]) => `${h}:${String(m).padStart(2, '0')}`)
    const zone = fc.constantFrom('Europe/Berlin', 'Australia/Lord_Howe', 'Pacific/Chatham', 'America/New_York')
    const at = fc.integer({ min: utc('2026-01-01T00:00'), max: utc('2027-01-01T00:00') })
    fc.assert(
      fc.property(at, time, time, zone, (due, from, to, where) => {
        const then = quietHours(due, { from, to }, where)
        expect(then).toBeGreaterThanOrEqual(due)
        expect(then - due).toBeLessThanOrEqual(1.1 * day)
      }),
      { numRuns: 200 },
    )
  })
})
