import type { Clock } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'
import { systemClock } from './system-clock.ts'

/** A clock that begins at a given ISO time and goes on at the pace of the machine's; for trials and tests. */
export function clockFrom(start: string): Clock {
  const begun = Date.parse(start)
  if (Number.isNaN(begun)) {
    throw Fault.use(
      'clock/invalid',
      `UNDERMIND_CLOCK is ${start}; it must be an ISO time such as 2026-04-01T18:00:00+02:00.`,
      { start },
    )
  }
  const ahead = begun - systemClock.now()
  return {
    now: () => systemClock.now() + ahead,
    wakeAt: (at, wake) => systemClock.wakeAt(at - ahead, wake),
  }
}
