import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { type Clock, second } from '../../domain/clock.ts'
import { HeldNews } from '../bulletin.ts'
import { CallerFeeds } from '../caller-feeds.ts'
import type { Dispatch } from '../dispatch.ts'
import { mostQueued, Turns } from '../turns.ts'
import type { Broadcast, Issue } from './broadcast.ts'
import type { Rate } from './rate.ts'
import { textFrame } from './text-frame.ts'

export interface CallerParts {
  dispatch: Dispatch
  news: Broadcast
  rate: Rate
  clock: Clock
}

/** Why a WebSocket is closed from here: its close code, and what its close reason says about coming back. */
export interface Farewell {
  code: number
  why: string
  /** Milliseconds to wait before connecting again; null where that would not help. */
  retryMs: number | null
}

export const stopping: Farewell = { code: 1001, why: 'daemon/gone', retryMs: 2000 }
const notText: Farewell = { code: 1003, why: 'rpc/invalid-request', retryMs: null }
const doesNotRead: Farewell = { code: 1013, why: 'door/too-slow', retryMs: 5000 }

const farewellTime = second
/** Bytes of news that may be held for one caller. The bytes themselves are shared by all who are told. */
const mostHeld = 4 * 1024 * 1024

/**
 * One caller on a WebSocket: a JSON-RPC message, or a batch, in each text frame. Whoever sends faster than they read, or
 * than they may, is not read from for a while. News for one who does not read is held, newest of each thing; who does not
 * read even then is left.
 */
export class WebSocketCaller {
  readonly #socket: WebSocket
  /** The connection below it. News goes there as ready frames; the other side of the WebSocket sees no difference. */
  readonly #wire: Duplex
  readonly #peer: string
  readonly #parts: CallerParts
  readonly #turns: Turns
  readonly #feeds: CallerFeeds
  readonly #held = new HeldNews()
  #waiting: Uint8Array[] = []
  #isAlive = true
  #unreadAtBeat = 0
  #stopNews: (() => void) | null = null
  #stopWait: (() => void) | null = null
  #isLeaving = false

  constructor(socket: WebSocket, wire: Duplex, peer: string, parts: CallerParts) {
    this.#socket = socket
    this.#wire = wire
    this.#peer = peer
    this.#parts = parts
    this.#feeds = new CallerFeeds({
      say: (texts) => this.#write(Buffer.concat(texts.map((text) => textFrame(Buffer.from(text))))),
      isRead: () => this.#held.bytes === 0 && this.#turns.isRead,
    })
    this.#turns = new Turns({
      next: () => this.#next(),
      dispatch: (text) => parts.dispatch(text, { beginNews: () => this.#beginNews(), feeds: this.#feeds }),
      say: (answer) => this.#send(answer),
      unread: () => socket.bufferedAmount,
      done: () => this.#work(),
    })
    socket.on('message', (data: Buffer, isBinary) => {
      this.#isAlive = true
      if (isBinary) return this.leave(notText)
      if (!this.#isLeaving) this.#waiting.push(data)
      this.#work()
    })
    socket.on('pong', () => {
      this.#isAlive = true
    })
    // What is wrong with a frame is told by the close code; it concerns nobody else.
    socket.on('error', () => {})
    socket.on('close', () => this.#forget())
  }

  /** Called every so often: whoever has not been heard of since the last time is gone. */
  beat(): void {
    // While it is not read from, nothing can be heard of it: then it is there as long as it takes what it is sent.
    const unread = this.#socket.bufferedAmount
    const isKeptWaiting = this.#socket.isPaused && (this.#turns.isRead || unread < this.#unreadAtBeat)
    if (!this.#isAlive && !isKeptWaiting) {
      this.#socket.terminate()
      return
    }
    this.#isAlive = false
    this.#unreadAtBeat = unread
    this.#socket.ping()
  }

  /** Says goodbye and hangs up; waits a moment for the other side to do the same. */
  leave({ code, why, retryMs }: Farewell): void {
    if (this.#isLeaving) return
    this.#forget()
    this.#socket.close(code, JSON.stringify({ code: why, retry_ms: retryMs }))
    // Paused, it would not hear the other side's goodbye.
    this.#socket.resume()
    const { clock } = this.#parts
    const stop = clock.wakeAt(clock.now() + farewellTime, () => this.#socket.terminate())
    this.#socket.once('close', stop)
  }

  #work(): void {
    this.#turns.work()
    if (this.#isLeaving) return
    if (this.#waiting.length === 0 && this.#turns.mayTakeMore) this.#socket.resume()
    else this.#socket.pause()
  }

  /** The next message, as long as the peer keeps to its pace; else the work goes on when it may. */
  #next(): Uint8Array | undefined {
    if (this.#isLeaving || this.#waiting.length === 0 || this.#stopWait) return undefined
    const { rate, clock } = this.#parts
    if (rate.take(this.#peer)) return this.#waiting.shift()
    this.#stopWait = clock.wakeAt(clock.now() + rate.wait(this.#peer), () => {
      this.#stopWait = null
      this.#work()
    })
    return undefined
  }

  #beginNews(): string {
    if (!this.#isLeaving) {
      this.#stopNews ??= this.#parts.news.listen((issue) => this.#tellOf(issue))
    }
    return 'news'
  }

  #tellOf({ bulletins, bytes }: Issue): void {
    if (this.#held.bytes === 0 && this.#turns.isRead && bytes.length <= mostQueued) {
      this.#write(bytes)
      return
    }
    for (const bulletin of bulletins) this.#held.add(bulletin)
    this.#tellHeld()
  }

  /** Sends the news that is held, as far as it is read. */
  #tellHeld(): void {
    while (this.#turns.isRead) {
      const bytes = this.#held.next()
      if (bytes === undefined) return
      this.#write(bytes)
    }
    if (this.#held.bytes > mostHeld) this.leave(doesNotRead)
  }

  #write(frames: Buffer): void {
    if (this.#isOpen) this.#wire.write(frames, () => this.#goOn())
  }

  #send(answer: string): void {
    if (this.#isOpen) this.#socket.send(answer, () => this.#goOn())
  }

  get #isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN
  }

  /** Some of what was sent has been taken. */
  #goOn(): void {
    if (this.#isLeaving) return
    this.#tellHeld()
    this.#feeds.goOn()
    this.#work()
  }

  #forget(): void {
    this.#isLeaving = true
    this.#stopNews?.()
    this.#feeds.stop()
    this.#stopWait?.()
    this.#waiting = []
    this.#held.clear()
  }
}
