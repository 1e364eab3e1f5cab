import { type Clock, minute } from '../domain/clock.ts'

/** No timer sleeps longer than this: after a laptop's sleep or a jump of the clock, the time is looked at again soon. */
const longestNap = minute

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  wakeAt(at, wake) {
    let timer: NodeJS.Timeout
    const nap = () => {
      const left = at - Date.now()
      timer = left <= 0 ? setTimeout(wake, 0) : setTimeout(nap, Math.min(left, longestNap))
      timer.unref()
    }
    nap()
    return () => clearTimeout(timer)
  },
}

/** Where jitter comes from. */
export const systemRandom = (): number => Math.random()
