import type { EventObject } from 'xstate'
import { type Clock, minute, second } from '../domain/clock.ts'
import type { Ledger } from '../domain/ledger.ts'
import type { Message } from './unit-of-work.ts'

export interface TimekeeperOptions {
  ledger: Ledger
  clock: Clock
  post(message: Message): void
  /** The clock shows an earlier time than before. */
  onTurnedBack(): void
}

const atOnce = 100
/** How long it looks away at most, so that it notices soon when somebody sets the clock. */
const longestLookAway = minute

/**
 * Delivers timers that have come due. A timer is its row: it fires only if the row still stands with that due time when
 * its message is handled, and the row goes in the same transaction.
 */
export class Timekeeper {
  readonly #options: TimekeeperOptions
  #cancel: (() => void) | null = null
  #lastLook = Number.NEGATIVE_INFINITY
  #firing = false
  #stopped = false

  constructor(options: TimekeeperOptions) {
    this.#options = options
  }

  /** Looks for the earliest timer again; called after timers have moved. */
  arm(): void {
    if (this.#stopped || this.#firing) return
    this.#cancel?.()
    const { ledger, clock } = this.#options
    const soon = this.#look() + longestLookAway
    this.#cancel = clock.wakeAt(Math.min(ledger.nextTimerAt() ?? soon, soon), () => this.#fire())
  }

  stop(): void {
    this.#stopped = true
    this.#cancel?.()
  }

  #fire(): void {
    if (this.#stopped) return
    const { ledger, post } = this.#options
    const due = ledger.dueTimers(this.#look(), atOnce)
    if (due.length === 0) {
      this.arm()
      return
    }
    this.#firing = true
    due.forEach(({ actor, name, dueAt, event }, index) => {
      const isLast = index === due.length - 1
      post({
        to: actor,
        event: JSON.parse(event) as EventObject,
        claim: (rows) => {
          if (isLast) setImmediate(() => this.#goOn())
          return rows.takeTimer(actor, name, dueAt)
        },
      })
    })
  }

  #look(): number {
    const now = this.#options.clock.now()
    // A clock that is kept in time is now and then put back a little, which is nothing to speak of.
    if (now < this.#lastLook - second) this.#options.onTurnedBack()
    this.#lastLook = now
    return now
  }

  #goOn(): void {
    this.#firing = false
    this.arm()
  }
}
