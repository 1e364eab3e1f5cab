/**
 * A computation over something long, in steps of well below a millisecond: it pauses after each, so that whoever runs it
 * can let others have their turn.
 */
export type Steps<T> = Generator<void, T, void>

/** Runs all of it without a pause, for what is known to be short. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
