/** A pause; what it returns ends it early, without calling. A client may run where nothing of ours gives it a clock. */
export const wait = (ms: number, then: () => void): (() => void) => {
  const timer = setTimeout(then, ms)
  return () => clearTimeout(timer)
}
