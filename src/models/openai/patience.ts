import { type Clock, minute, second } from '../../domain/clock.ts'
import type { Verdict } from './verdict.ts'

interface PatienceOptions {
  clock: Clock
  random: () => number
  /** When the call has to be over. */
  until: number
  signal: AbortSignal
}

const most = { limited: 3, busy: 2 }
const longestWait = minute

/**
 * How often one call is tried again, and after what time: what the server asks for, up to a minute, else a second, doubled
 * each time, more or less a quarter. Returns when the time has come or nobody wants the answer any more; throws the fault
 * when the request is not to be sent again.
 */
export const patience = ({ clock, random, until, signal }: PatienceOptions): ((verdict: Verdict) => Promise<void>) => {
  const tried = { limited: 0, busy: 0 }
  return async (verdict) => {
    if (verdict.again === 'final' || verdict.again === 'unclear') throw verdict.fault()
    const times = tried[verdict.again]++
    const wait = verdict.afterMs ?? Math.round(second * 2 ** times * (0.75 + random() / 2))
    if (times >= most[verdict.again] || wait > longestWait || clock.now() + wait >= until)
      throw verdict.fault(verdict.afterMs)
    await pause(clock, wait, signal)
  }
}

const pause = (clock: Clock, ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = () => {
      callOff()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const callOff = clock.wakeAt(clock.now() + ms, done)
    signal.addEventListener('abort', done)
  })
