import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hour, minute } from '../../src/domain/clock.ts'
import { backoff } from '../../src/tasks/backoff.ts'

describe('the wait before a retry', () => {
  it('is one minute, then doubles, up to 6 hours', () => {
    expect([1, 2, 3, 4, 5].map((attempt) => backoff(attempt, 0.5))).toEqual([1, 2, 4, 8, 16].map((n) => n * minute))
    expect(backoff(9, 0.5)).toBe(256 * minute)
    expect(backoff(10, 0.5)).toBe(6 * hour)
    expect(backoff(5000, 0.5)).toBe(6 * hour)
  })

  it('differs by a fifth at most, in whole milliseconds, and is never longer than 6 hours', () => {
    expect([backoff(1, 0), backoff(1, 1)]).toEqual([0.8 * minute, 1.2 * minute])
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
        const wait = backoff(attempt, random)
        expect(Number.isInteger(wait)).toBe(true)
        expect(wait).toBeGreaterThanOrEqual(0.8 * minute)
        expect(wait).toBeLessThanOrEqual(6 * hour)
      }),
    )
  })

  it('is that of the first retry for an attempt that is none', () => {
    expect(backoff(0, 0.5)).toBe(minute)
  })
})
