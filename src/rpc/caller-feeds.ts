import { Fault } from '../domain/errors.ts'
import type { Feed } from './feed.ts'
import type { Feeds } from './method.ts'

export interface CallerFeedsParts {
  /** Sends them, in this order. */
  say(notifications: string[]): void
  /** False while the caller does not read. */
  isRead(): boolean
}

const mostFeeds = 16

interface Running {
  feed: Feed<string>
  stop(): void
}

/** The feeds of one caller: taken a little at a time between other work, and only while the caller reads. */
export class CallerFeeds implements Feeds {
  readonly #parts: CallerFeedsParts
  readonly #running = new Map<string, Running>()
  #isDue = false
  #isOver = false

  constructor(parts: CallerFeedsParts) {
    this.#parts = parts
  }

  begin(name: string, feed: Feed<string>): void {
    if (this.#isOver) return
    this.end(name)
    if (this.#running.size >= mostFeeds) {
      throw Fault.use(
        'rpc/too-many-subscriptions',
        `A connection has at most ${mostFeeds} subscriptions of this kind. End one, or use its name again.`,
      )
    }
    this.#running.set(name, { feed, stop: feed.wake(() => this.goOn()) })
    this.goOn()
  }

  end(name: string): boolean {
    const running = this.#running.get(name)
    this.#running.delete(name)
    running?.stop()
    return running !== undefined
  }

  /** Called when there may be something to say, or when the caller has read. */
  goOn(): void {
    if (this.#isDue || this.#running.size === 0) return
    this.#isDue = true
    setImmediate(() => {
      this.#isDue = false
      this.#say()
    })
  }

  /** Ends all; nothing begins any more. */
  stop(): void {
    this.#isOver = true
    for (const name of [...this.#running.keys()]) this.end(name)
  }

  #say(): void {
    let isMore = false
    for (const [name, { feed }] of [...this.#running]) {
      if (!this.#parts.isRead()) return
      let taken: string[]
      try {
        taken = feed.take()
      } catch {
        // What it is read from is gone; whoever asks anew is told why.
        this.end(name)
        continue
      }
      if (taken.length === 0) continue
      this.#parts.say(taken)
      isMore = true
    }
    if (isMore) this.goOn()
  }
}
