import { type Clock, minute } from '../domain/clock.ts'

/** No timer sleeps longer than this: after a laptop's sleep or a jump of the clock, the time is looked at again soon. */
const longestNap = minute

/** The machine's clock. Whoever waits is woken, too, when as much time has passed as was left: a clock may be set back. */
export const systemClock: Clock = {
  now: () => Date.now(),
  wakeAt(at, wake) {
    let timer: NodeJS.Timeout
    const began = performance.now()
    const away = at - Date.now()
    const nap = () => {
      const left = Math.min(at - Date.now(), away - (performance.now() - began))
      timer = left <= 0 ? setTimeout(wake, 0) : setTimeout(nap, Math.min(left, longestNap))
      timer.unref()
    }
    nap()
    return () => clearTimeout(timer)
  },
}

/** The clock's timers let go of the process; keeps it from ending in the middle of something that only waits. Returns a way to let go. */
export const holdProcess = (): (() => void) => {
  const hold = setInterval(() => {}, longestNap)
  return () => clearInterval(hold)
}

/** Where jitter comes from. */
export const systemRandom = (): number => Math.random()
