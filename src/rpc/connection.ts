import type { Socket } from 'node:net'
import { type Clock, second } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'
import type { News } from '../domain/news.ts'
import { CallerFeeds } from './caller-feeds.ts'
import { type Dispatch, failed, largestMessage, messageTooLarge } from './dispatch.ts'
import { Lines } from './lines.ts'
import type { Caller } from './method.ts'
import { newsNotification } from './methods/events.ts'
import { mostQueued, Turns } from './turns.ts'

export interface ConnectionParts {
  dispatch: Dispatch
  subscribe(listener: (news: News) => void): () => void
  clock: Clock
  /** A link that opens the dashboard, for callers of whom it is sure that they are this user. */
  doorLink?: Caller['doorLink']
}

/** From the first byte of a line to its end. */
const lineTime = 30 * second
const farewellTime = second

/**
 * One caller on a socket: a JSON-RPC message a line. Messages are answered as they are done, not in turn. A caller who
 * sends faster than it reads is not read from until it has caught up, and one who does not read the news is left.
 */
export class Connection {
  readonly #socket: Socket
  readonly #parts: ConnectionParts
  readonly #lines = new Lines(largestMessage)
  readonly #turns: Turns
  readonly #feeds: CallerFeeds
  #newsQueued = 0
  #isLastLine = false
  #isLeaving = false
  #stopNews: (() => void) | null = null
  #stopWatch: (() => void) | null = null

  constructor(socket: Socket, parts: ConnectionParts) {
    this.#socket = socket
    this.#parts = parts
    this.#feeds = new CallerFeeds({
      say: (texts) => this.#send(texts.join('\n')),
      isRead: () => this.#turns.isRead,
    })
    this.#turns = new Turns({
      next: () => (this.#isLeaving ? undefined : this.#lines.next()),
      dispatch: (text) =>
        parts.dispatch(text, {
          beginNews: () => this.#beginNews(),
          feeds: this.#feeds,
          ...(parts.doorLink && { doorLink: parts.doorLink }),
        }),
      say: (answer) => this.#send(answer),
      unread: () => socket.writableLength,
      done: () => this.#work(),
    })
    socket.on('data', (chunk) => this.#take(chunk))
    socket.on('drain', () => {
      this.#feeds.goOn()
      this.#work()
    })
    socket.on('end', () => {
      this.#isLastLine = true
      this.#lines.end()
      this.#work()
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      this.#isLeaving = true
      this.#stopNews?.()
      this.#feeds.stop()
      this.#stopWatch?.()
    })
  }

  /** Ends once what was answered is on its way; waits a moment for a slow reader, no longer. */
  leave(): void {
    this.#isLeaving = true
    this.#stopNews?.()
    this.#feeds.stop()
    this.#stopWatch?.()
    if (this.#socket.writableLength === 0) {
      this.#socket.destroy()
      return
    }
    this.#socket.destroySoon()
    this.#destroyAfter(farewellTime)
  }

  #take(chunk: Buffer): void {
    if (this.#isLeaving) return
    if (this.#lines.push(chunk)) this.#unwatch()
    if (this.#lines.tooLong) this.#refuse(messageTooLarge())
    else this.#work()
  }

  #work(): void {
    this.#turns.work()
    if (this.#isLeaving) return
    if (this.#isLastLine && this.#turns.isIdle && !this.#lines.waiting) {
      this.#socket.end()
    } else if (this.#turns.mayTakeMore) {
      this.#socket.resume()
      this.#watch()
    } else {
      this.#socket.pause()
      this.#unwatch()
    }
  }

  #beginNews(): string {
    this.#stopNews ??= this.#parts.subscribe((news) => this.#tell(news))
    return 'news'
  }

  /** Only unread news counts here: an answer may be as long as it is. */
  #tell(news: News): void {
    if (this.#newsQueued > mostQueued) {
      this.#socket.destroy()
      return
    }
    const text = newsNotification(news)
    const bytes = Buffer.byteLength(text)
    this.#newsQueued += bytes
    this.#send(text, () => {
      this.#newsQueued -= bytes
    })
  }

  #send(text: string, sent?: () => void): void {
    if (this.#socket.writable) this.#socket.write(`${text}\n`, sent)
  }

  /** Says what is wrong and hangs up. What still comes is read and thrown away: cut off while writing, nobody reads. */
  #refuse(fault: Fault): void {
    this.#send(failed(null, fault))
    this.#isLeaving = true
    this.#stopNews?.()
    this.#feeds.stop()
    this.#unwatch()
    this.#socket.resume()
    this.#socket.end()
    this.#destroyAfter(farewellTime)
  }

  #watch(): void {
    if (!this.#lines.half) return
    this.#stopWatch ??= this.#parts.clock.wakeAt(this.#parts.clock.now() + lineTime, () => this.#refuse(tooSlow()))
  }

  #unwatch(): void {
    this.#stopWatch?.()
    this.#stopWatch = null
  }

  #destroyAfter(ms: number): void {
    const { clock } = this.#parts
    const stop = clock.wakeAt(clock.now() + ms, () => this.#socket.destroy())
    this.#socket.once('close', stop)
  }
}

const tooSlow = (): Fault =>
  Fault.use(
    'rpc/invalid-request',
    `Not a request: a line that was begun did not end within ${lineTime / second} seconds. End each message with a line end.`,
  )
