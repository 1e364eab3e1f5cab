import type { News } from '../domain/news.ts'
import { newsNotification } from './methods/events.ts'

/** A piece of news as it goes over a wire, made once for everybody. */
export interface Bulletin {
  bytes: Buffer
  /** What it is about: a newer bulletin on the same thing says all that this one does. Null where nothing replaces it. */
  about: string | null
}

export const bulletinOf = (news: News): Bulletin => ({
  bytes: Buffer.from(newsNotification(news)),
  about: subjectOf(news),
})

/** Most news says how a thing stands now. */
const subjectOf = (news: News): string | null => {
  if ('id' in news) return `${news.type} ${news.id}`
  return news.type === 'store' ? news.type : null
}

/** News on its way to one caller: of each thing only the newest, in the order in which it came. */
export class HeldNews {
  readonly #waiting = new Map<string | symbol, Bulletin>()
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  add(bulletin: Bulletin): void {
    const name = bulletin.about ?? Symbol()
    this.#take(name)
    this.#waiting.set(name, bulletin)
    this.#bytes += bulletin.bytes.length
  }

  next(): Buffer | undefined {
    for (const name of this.#waiting.keys()) return this.#take(name)
    return undefined
  }

  /** Takes everything. */
  all(): Bulletin[] {
    const all = [...this.#waiting.values()]
    this.clear()
    return all
  }

  clear(): void {
    this.#waiting.clear()
    this.#bytes = 0
  }

  #take(name: string | symbol): Buffer | undefined {
    const bulletin = this.#waiting.get(name)
    if (bulletin === undefined) return undefined
    this.#waiting.delete(name)
    this.#bytes -= bulletin.bytes.length
    return bulletin.bytes
  }
}
