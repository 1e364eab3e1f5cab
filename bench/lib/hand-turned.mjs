/** A clock that only moves when it is turned, stopping at everything that comes due on the way and letting it run its course. */
export function handTurned(settle) {
  let now = Date.now()
  const wakes = new Set()
  const clock = {
    now: () => now,
    wakeAt(at, wake) {
      const entry = { at, wake }
      wakes.add(entry)
      return () => wakes.delete(entry)
    },
  }
  const advance = async (ms) => {
    const end = now + ms
    for (;;) {
      await settle()
      const next = [...wakes].reduce(
        (first, one) => (one.at <= end && (!first || one.at < first.at) ? one : first),
        null,
      )
      if (!next) break
      now = Math.max(now, next.at)
      wakes.delete(next)
      next.wake()
    }
    now = end
  }
  return { clock, advance }
}
