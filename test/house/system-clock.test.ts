import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { day, hour, minute } from '../../src/domain/clock.ts'
import { systemClock } from '../../src/house/system-clock.ts'

describe('the system clock', () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-04-02T08:00:00Z') }))
  afterEach(() => void vi.useRealTimers())

  const waiting = (ms: number) => {
    const wake = vi.fn()
    const cancel = systemClock.wakeAt(systemClock.now() + ms, wake)
    return { wake, cancel }
  }

  it('wakes once, when the time has come and not before', async () => {
    const { wake } = waiting(hour)
    await vi.advanceTimersByTimeAsync(hour - 1)
    expect(wake).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(2 * hour)
    expect(wake).toHaveBeenCalledTimes(1)
  })

  it('wakes at a time further away than a timer can count', async () => {
    const { wake } = waiting(60 * day)
    await vi.advanceTimersByTimeAsync(60 * day - 1)
    expect(wake).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(10)
    expect(wake).toHaveBeenCalledTimes(1)
  })

  it('wakes within a minute after the clock was set forward past the time', async () => {
    const { wake } = waiting(day)
    vi.setSystemTime(systemClock.now() + 3 * day)
    await vi.advanceTimersByTimeAsync(minute + 10)
    expect(wake).toHaveBeenCalledTimes(1)
  })

  it('wakes when as much time has passed as was left, though the clock was set back', async () => {
    const { wake } = waiting(hour)
    await vi.advanceTimersByTimeAsync(20 * minute)
    vi.setSystemTime(systemClock.now() - day)
    await vi.advanceTimersByTimeAsync(39 * minute)
    expect(wake).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(2 * minute)
    expect(wake).toHaveBeenCalledTimes(1)
  })

  it('wakes nobody who has called it off', async () => {
    const { wake, cancel } = waiting(hour)
    await vi.advanceTimersByTimeAsync(30 * minute)
    cancel()
    await vi.advanceTimersByTimeAsync(day)
    expect(wake).not.toHaveBeenCalled()
  })
})
