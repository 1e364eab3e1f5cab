import type { News } from '../../domain/news.ts'
import { type Bulletin, bulletinOf, HeldNews } from '../bulletin.ts'
import { textFrame } from './text-frame.ts'

type Subscribe = (listener: (news: News) => void) => () => void

/** News that came in one go, as WebSocket frames. */
export interface Issue {
  bulletins: readonly Bulletin[]
  /** All their frames, one after the other. */
  bytes: Buffer
}

type Reader = (issue: Issue) => void

/**
 * Hands news on to many readers; listens itself only while it has any. What comes within one turn of the process is
 * handed on together, and made into bytes once: a tick of thousands must not cost as many writes for every reader.
 */
export class Broadcast {
  readonly #subscribe: Subscribe
  readonly #readers = new Set<Reader>()
  readonly #waiting = new HeldNews()
  #stop: (() => void) | null = null

  constructor(subscribe: Subscribe) {
    this.#subscribe = subscribe
  }

  listen(reader: Reader): () => void {
    this.#readers.add(reader)
    this.#stop ??= this.#subscribe((news) => this.#take(news))
    return () => {
      this.#readers.delete(reader)
      if (this.#readers.size > 0) return
      this.#stop?.()
      this.#stop = null
      this.#waiting.clear()
    }
  }

  #take(news: News): void {
    if (this.#waiting.bytes === 0) setImmediate(() => this.#handOn())
    const { bytes, about } = bulletinOf(news)
    this.#waiting.add({ bytes: textFrame(bytes), about })
  }

  #handOn(): void {
    const bulletins = this.#waiting.all()
    if (bulletins.length === 0) return
    const issue = { bulletins, bytes: Buffer.concat(bulletins.map(({ bytes }) => bytes)) }
    for (const reader of [...this.#readers]) reader(issue)
  }
}
