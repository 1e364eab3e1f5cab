import type { EventObject } from 'xstate'
import type { Clock } from '../domain/clock.ts'
import type { Ledger } from '../domain/ledger.ts'
import type { Message } from './unit-of-work.ts'

export interface TimekeeperOptions {
  ledger: Ledger
  clock: Clock
  post(message: Message): void
}

const atOnce = 100

/**
 * Delivers timers that have come due. A timer is its row: it fires only if the row still stands with that due time when
 * its message is handled, and the row goes in the same transaction.
 */
export class Timekeeper {
  readonly #options: TimekeeperOptions
  #cancel: (() => void) | null = null
  #firing = false
  #stopped = false

  constructor(options: TimekeeperOptions) {
    this.#options = options
  }

  /** Looks for the earliest timer again; called after timers have moved. */
  arm(): void {
    if (this.#stopped || this.#firing) return
    this.#cancel?.()
    const next = this.#options.ledger.nextTimerAt()
    this.#cancel = next === null ? null : this.#options.clock.wakeAt(next, () => this.#fire())
  }

  stop(): void {
    this.#stopped = true
    this.#cancel?.()
  }

  #fire(): void {
    if (this.#stopped) return
    const { ledger, clock, post } = this.#options
    const due = ledger.dueTimers(clock.now(), atOnce)
    if (due.length === 0) return this.arm()
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

  #goOn(): void {
    this.#firing = false
    this.arm()
  }
}
