import { Fault } from '../../domain/errors.ts'
import { breathe } from '../slices.ts'
import type { OpenDoor } from './open-door.ts'

/**
 * A door that opens while everything else goes on already: nothing waits for it, and what goes wrong with it is told to
 * whoever asks for it.
 */
export class LateDoor implements AsyncDisposable {
  /** Null where none is wanted. */
  readonly opened: Promise<OpenDoor | null>
  #decide = (_isWanted: boolean): void => {}
  #isOver = false

  constructor(open: (() => Promise<OpenDoor>) | null) {
    const decided = new Promise<boolean>((resolve) => {
      this.#decide = resolve
    })
    this.opened = decided.then(async (isWanted) => {
      if (!isWanted || open === null) return null
      // Whoever waits at the local socket is answered first.
      await breathe()
      return open()
    })
    this.opened.catch(() => {}) // nobody may ask
  }

  begin(): void {
    this.#decide(true)
  }

  /** Throws `door/closed` where there is no door, and what went wrong with it. */
  async link(): Promise<{ url: string; link: string }> {
    const door = await this.opened
    if (door && !this.#isOver) return { url: door.url, link: door.link() }
    throw Fault.use(
      'door/closed',
      'No dashboard is served, since server.enabled is false. Set it to true in undermind.toml and start again.',
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true
    this.#decide(false)
    const door = await this.opened.catch(() => null)
    await door?.[Symbol.asyncDispose]()
  }
}
