import type { Clock } from '../domain/clock.ts'

/** The longest that a browser's timer can wait. */
const longest = 2 ** 31 - 1

/** The clock of the user's browser. */
export const browserClock: Clock = {
  now: () => Date.now(),
  wakeAt(at, wake) {
    let timer: number | ReturnType<typeof setTimeout>
    const wait = () => {
      const left = at - Date.now()
      timer = setTimeout(left > longest ? wait : wake, Math.min(Math.max(left, 0), longest))
    }
    wait()
    return () => clearTimeout(timer)
  },
}
