/** The machine's clock, set on by `shift` milliseconds. Unlike the runtime's own it keeps the process alive. */
export const shiftedClock = (/** @type {number} */ shift) => ({
  now: () => Date.now() + shift,
  /** @param {number} at @param {() => void} wake */
  wakeAt(at, wake) {
    /** @type {NodeJS.Timeout} */
    let timer
    const nap = () => {
      const left = at - shift - Date.now()
      timer = left <= 0 ? setTimeout(wake, 0) : setTimeout(nap, Math.min(left, 60_000))
    }
    nap()
    return () => clearTimeout(timer)
  },
})
