interface Refusal {
  stamp: string | null
  reason: string
}

export type OnSkip = (key: string, reason: string) => void

/**
 * Why files were not taken. One that is refused for its content is not opened again while its stamp stands, and each
 * reason is told once and not at every read.
 */
export interface Refusals {
  /** The reason that still holds for a file with this stamp, or null. */
  reasonFor(key: string, stamp: string): string | null
  add(key: string, reason: string, stamp: string | null): void
  drop(key: string): void
  keys(): Iterable<string>
}

export const refusalsTold = (onSkip: OnSkip): Refusals => {
  const known = new Map<string, Refusal>()
  return {
    reasonFor(key, stamp) {
      const refusal = known.get(key)
      return refusal?.stamp === stamp ? refusal.reason : null
    },
    add(key, reason, stamp) {
      const before = known.get(key)
      known.set(key, { stamp, reason })
      if (before?.reason !== reason) onSkip(key, reason)
    },
    drop: (key) => void known.delete(key),
    keys: () => known.keys(),
  }
}
