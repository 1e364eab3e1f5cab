import { decodeUtf8 } from './decode-utf8.ts'
import { failed, parseError } from './dispatch.ts'

/** Bytes that may wait for a caller who does not read. */
export const mostQueued = 1024 * 1024
const mostAtOnce = 64

export interface TurnsParts {
  /** The next message that waits; undefined when none does. */
  next(): Uint8Array | undefined
  dispatch(text: string): Promise<string | null>
  say(answer: string): void
  /** Bytes that were said and not yet taken by the other side. */
  unread(): number
  /** Called when a message has been answered. */
  done(): void
}

/**
 * The messages of one caller: answered as they are done, not in turn. No more are taken while too many are under way or
 * the caller does not read what it is answered.
 */
export class Turns {
  readonly #parts: TurnsParts
  #underWay = 0

  constructor(parts: TurnsParts) {
    this.#parts = parts
  }

  get isIdle(): boolean {
    return this.#underWay === 0
  }

  /** False while the caller does not read. */
  get isRead(): boolean {
    return this.#parts.unread() <= mostQueued
  }

  get mayTakeMore(): boolean {
    return this.#underWay < mostAtOnce && this.isRead
  }

  /** Begins what waits, as far as may be. */
  work(): void {
    while (this.mayTakeMore) {
      const message = this.#parts.next()
      if (message === undefined) break
      void this.#answer(message)
    }
  }

  async #answer(message: Uint8Array): Promise<void> {
    this.#underWay++
    const answer = await this.#answerTo(decodeUtf8(message))
    this.#underWay--
    if (answer !== null) this.#parts.say(answer)
    this.#parts.done()
  }

  #answerTo(text: string | null): Promise<string | null> | string | null {
    if (text === null) return failed(null, parseError())
    return text.trim() === '' ? null : this.#parts.dispatch(text)
  }
}
