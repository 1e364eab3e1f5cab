import type { Clock } from '../../src/domain/clock.ts'

/** A clock that stands still until it is turned. */
export class HandClock implements Clock {
  #now: number
  readonly #wakes = new Set<{ at: number; wake: () => void }>()

  constructor(start: string | number = '2026-04-01T16:00:00Z') {
    this.#now = typeof start === 'number' ? start : Date.parse(start)
  }

  now(): number {
    return this.#now
  }

  wakeAt(at: number, wake: () => void): () => void {
    const entry = { at, wake }
    if (at <= this.#now) {
      const soon = setImmediate(wake)
      return () => clearImmediate(soon)
    }
    this.#wakes.add(entry)
    return () => void this.#wakes.delete(entry)
  }

  get nextWakeAt(): number | null {
    return this.#wakes.size === 0 ? null : Math.min(...[...this.#wakes].map(({ at }) => at))
  }

  /** Sets the time, also backwards, and wakes whoever has come due. */
  set(to: number): void {
    this.#now = to
    const due = [...this.#wakes].filter(({ at }) => at <= to).sort((a, b) => a.at - b.at)
    for (const entry of due) {
      this.#wakes.delete(entry)
      entry.wake()
    }
  }

  /** Turns the clock on, stopping at everything that comes due on the way and letting it run its course. */
  async advance(ms: number, settle: () => Promise<unknown>): Promise<void> {
    const end = this.#now + ms
    for (;;) {
      const next = this.nextWakeAt
      if (next === null || next > end) break
      this.set(Math.max(next, this.#now))
      await settle()
    }
    this.set(end)
    await settle()
  }
}
