import { type Clock, second } from '../../domain/clock.ts'

export interface Pace {
  perSecond: number
  /** How many may come at once after a rest. */
  burst: number
}

interface Bucket {
  left: number
  at: number
}

/** Peers that are remembered; beyond it those are forgotten who have rested longest. */
const mostPeers = 1000

/** How many requests a peer may make: a steady pace, and a burst after a rest. */
export class Rate {
  readonly #clock: Clock
  readonly #pace: Pace
  readonly #buckets = new Map<string, Bucket>()

  constructor(clock: Clock, pace: Pace) {
    this.#clock = clock
    this.#pace = pace
  }

  /** True when the peer may make a request now; it then counts as made. */
  take(peer: string): boolean {
    const bucket = this.#bucket(peer)
    if (bucket.left < 1) return false
    bucket.left--
    return true
  }

  /** Milliseconds until the peer may make another request; 0 when it may now. */
  wait(peer: string): number {
    const { left } = this.#bucket(peer)
    return left >= 1 ? 0 : Math.ceil(((1 - left) * second) / this.#pace.perSecond)
  }

  #bucket(peer: string): Bucket {
    const { perSecond, burst } = this.#pace
    const now = this.#clock.now()
    const known = this.#buckets.get(peer) ?? { left: burst, at: now }
    // A clock that was set back gives nothing and takes nothing.
    const rested = Math.max(0, now - known.at)
    const bucket = { left: Math.min(burst, known.left + (rested * perSecond) / second), at: now }
    this.#buckets.delete(peer)
    this.#buckets.set(peer, bucket)
    if (this.#buckets.size > mostPeers) this.#buckets.delete(this.#buckets.keys().next().value ?? peer)
    return bucket
  }
}
