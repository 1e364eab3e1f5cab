/** Time arrives through this port; the system clock and the tests' hand-turned clock both fit it. Milliseconds UTC. */
export interface Clock {
  now(): number
  /** Calls `wake` once at or after `at`, however far away that is; returns a way to call it off. */
  wakeAt(at: number, wake: () => void): () => void
}

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour
