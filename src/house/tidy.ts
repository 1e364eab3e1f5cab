import type { ActorHost } from '../actors/actor-host.ts'
import { type Clock, day, hour } from '../domain/clock.ts'
import type { Housekeeping, Mark } from '../store/housekeeping.ts'
import { dayAt, daysBefore } from './local-day.ts'
import { breathe } from './slices.ts'
import type { Stores } from './stores.ts'

export interface TidyParts {
  host: Pick<ActorHost, 'write'>
  housekeeping: Housekeeping
  stores: Stores
  clock: Clock
  keepDays(): number
}

/** Quiet ticks are kept this long, so that one can see that the loop is alive. */
const quietTicksKept = hour
const agedEvery = 6 * hour
const seenKept = 30 * day
/** How long the log goes back: evaluations, their cards and ticks. */
export const historyKept = 400 * day
const slice = 200

/** Keeps the store bounded, a slice at a time between other work: after each tick what it left, a few times a day what has aged. */
export class Tidy {
  readonly #parts: TidyParts
  #agedAt = Number.NEGATIVE_INFINITY
  #running: Promise<void> | null = null
  #stopped = false

  constructor(parts: TidyParts) {
    this.#parts = parts
  }

  /** Resolves when the slice in hand is done; nothing further is begun. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#running?.catch(() => {})
  }

  /** Does now what is otherwise done a few times a day. */
  async all(): Promise<void> {
    await this.#running
    this.#agedAt = Number.NEGATIVE_INFINITY
    await this.run()
  }

  /** Resolves when nothing is left to tidy now; calls while it runs join the run. */
  run(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #run(): Promise<void> {
    const { housekeeping, stores, clock, keepDays } = this.#parts
    const now = clock.now()
    while (await this.#slice(() => housekeeping.ticks(now - quietTicksKept))) await breathe()
    if (this.#stopped || now - this.#agedAt < agedEvery) return
    this.#agedAt = now
    const kept = now - keepDays() * day
    const retention = {
      now,
      journalBefore: kept,
      seenSince: now - seenKept,
      notificationsSince: now - 90 * day,
      deadLettersSince: now - 90 * day,
      imagesSince: now - 30 * day,
      // Days of the user's calendar and those of UTC are never further apart than one.
      usageSince: daysBefore(dayAt(now, 'UTC'), 401),
    }
    while (await this.#slice(() => housekeeping.aged(retention))) await breathe()
    await this.#through((mark) => housekeeping.evaluations(now - historyKept, mark))
    await this.#through((mark) => housekeeping.oldTicks(now - historyKept, mark))
    // A task that is switched off keeps what is new for it only as long as everything is kept.
    const seen = stores.tasks.lowestMark() ?? stores.changes.head()
    while (await this.#slice(() => stores.changes.prune(seen, kept, slice) === slice)) await breathe()
  }

  /** Goes through what is old from its beginning. */
  async #through(look: (from: Mark | null) => Mark | null): Promise<void> {
    const seen: { mark: Mark | null } = { mark: null }
    const isThere = () => {
      seen.mark = look(seen.mark)
      return seen.mark !== null
    }
    while (await this.#slice(isThere)) await breathe()
  }

  /** Does a slice of the work; true when more is left and it may go on. */
  async #slice(work: () => boolean): Promise<boolean> {
    return !this.#stopped && (await this.#parts.host.write(work))
  }
}
