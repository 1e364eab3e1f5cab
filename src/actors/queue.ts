import { type Clock, second } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'
import type { ActorId } from '../domain/ids.ts'
import type { Turn } from './seat.ts'
import type { Message } from './unit-of-work.ts'

type Order =
  | { message: Message; seen?: string }
  | { spawn: { kind: string; id: ActorId; input: unknown; parent: ActorId | null } }
  | { write: (turn: Turn) => unknown }

/** One thing to do in a transaction, and whom to tell how it went. `internal` ones have a row of their own and are never refused. */
export type Entry = Order & {
  internal?: boolean
  failures?: number
  done?: (value: unknown) => void
  failed?: (error: unknown) => void
}

export interface QueueOptions {
  clock: Clock
  /** The store cannot write now, but may later. */
  isTransient(error: unknown): boolean
  /** The store will never take anything from this process again. */
  isFatal(error: unknown): boolean
  /** Runs entries from the front and returns how many it took; throws with none of them done. */
  run(entries: Iterable<Entry>): number
  bury(entry: Entry, error: unknown): void
  /** The store cannot write for this reason; null when it can again. */
  onStall(reason: string | null): void
  onFatal(error: unknown): void
}

const tries = 3
const longestPause = 30 * second

/**
 * The order in which things happen. Runs groups from the front while there is something to do, letting the event loop
 * breathe between them. When a group fails its entries run one by one, so that only the guilty one suffers.
 */
export class Queue {
  readonly #options: QueueOptions
  #entries: Entry[] = []
  #head = 0
  /** How many entries from the front run alone. */
  #alone = 0
  #scheduled = false
  #closed = false
  #stall: { reason: Fault; cancel: () => void } | null = null
  /** How long the last pause was; 0 while the store can write. */
  #pauseMs = 0
  #fatal: unknown = null
  #onDrained: (() => void)[] = []

  constructor(options: QueueOptions) {
    this.#options = options
  }

  get empty(): boolean {
    return this.#head === this.#entries.length
  }

  get stalled(): boolean {
    return this.#stall !== null || this.#fatal !== null
  }

  add(entry: Entry): void {
    this.#entries.push(entry)
    this.#schedule()
  }

  ask(order: Order): Promise<unknown> {
    return new Promise((done, failed) => {
      if (!this.#refuses(failed)) this.add({ ...order, done, failed })
    })
  }

  /** Resolves when all are done; fails with the first error, the others being done all the same. */
  askAll(orders: readonly Order[]): Promise<void> {
    return new Promise((resolve, reject) => {
      if (orders.length === 0) return resolve()
      if (this.#refuses(reject)) return
      let left = orders.length
      let first: { error: unknown } | null = null
      const one = () => {
        if (--left === 0) first ? reject(first.error) : resolve()
      }
      const failed = (error: unknown) => {
        first ??= { error }
        one()
      }
      for (const order of orders) this.#entries.push({ ...order, done: one, failed })
      this.#schedule()
    })
  }

  drained(): Promise<void> {
    if (this.empty || this.stalled) return Promise.resolve()
    return new Promise((resolve) => this.#onDrained.push(resolve))
  }

  /** Runs what is queued, then refuses everything. */
  async close(): Promise<void> {
    await this.drained()
    this.#closed = true
    this.#stall?.cancel()
    for (const entry of this.#entries.splice(this.#head)) entry.failed?.(closed())
    this.#head = this.#entries.length
  }

  #refuses(failed: (error: unknown) => void): boolean {
    const reason = this.#fatal ?? (this.#closed ? closed() : this.#stall?.reason)
    if (reason !== undefined && reason !== null) failed(reason)
    return reason !== undefined && reason !== null
  }

  #schedule(): void {
    if (this.#scheduled || this.#closed || this.#stall || this.#fatal !== null || this.empty) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#run()
      this.#schedule()
    })
  }

  #run(): void {
    // Closing may have emptied the queue since this turn was asked for.
    if (this.empty) return
    const size = this.#alone > 0 ? 1 : this.#entries.length - this.#head
    try {
      const taken = this.#options.run(this.#front(size))
      this.#head += taken
      if (this.#alone > 0) this.#alone--
      if (this.#pauseMs > 0) {
        this.#pauseMs = 0
        this.#options.onStall(null)
      }
    } catch (error) {
      this.#fail(size, error)
    }
    if (this.#head > 1024 && this.#head * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#head)
      this.#head = 0
    }
    if (this.empty) {
      this.#entries = []
      this.#head = 0
      for (const tell of this.#onDrained.splice(0)) tell()
    }
  }

  *#front(size: number): Generator<Entry> {
    for (let i = this.#head; i < this.#head + size; i++) yield this.#entries[i]!
  }

  #fail(size: number, error: unknown): void {
    if (this.#options.isFatal(error)) this.#end(error)
    else if (this.#options.isTransient(error)) this.#pause(error as Fault)
    else if (size > 1) this.#alone = size
    else this.#blame(error)
  }

  /** The entry at the front failed by itself: it has three tries, except a write, whose caller is told at once. */
  #blame(error: unknown): void {
    const entry = this.#entries[this.#head]!
    entry.failures = (entry.failures ?? 0) + 1
    this.#alone = Math.max(this.#alone, 1)
    if (entry.failures < tries && !('write' in entry)) return
    try {
      this.#options.bury(entry, error)
    } catch (second) {
      // What cannot be kept even as a dead letter must not hold up the rest for ever.
      if (this.#options.isFatal(second)) return void this.#end(second)
      if (this.#options.isTransient(second)) return void this.#pause(second as Fault)
    }
    this.#head++
    this.#alone--
    entry.failed?.(error)
  }

  /** The store is at fault: those who asked are told at once, the rest waits and is tried again. */
  #pause(reason: Fault): void {
    const { clock, onStall } = this.#options
    this.#pauseMs = Math.min(longestPause, Math.max(second, this.#pauseMs * 2))
    const cancel = clock.wakeAt(clock.now() + this.#pauseMs, () => {
      this.#stall = null
      this.#schedule()
    })
    this.#stall = { reason, cancel }
    this.#drop(reason, (entry) => entry.internal === true)
    onStall(reason.message)
  }

  #end(error: unknown): void {
    this.#fatal = error
    this.#drop(error, () => false)
    this.#options.onFatal(error)
  }

  #drop(reason: unknown, keeps: (entry: Entry) => boolean): void {
    const waiting = this.#entries.splice(this.#head)
    this.#entries = waiting.filter(keeps)
    this.#head = 0
    this.#alone = 0
    for (const entry of waiting) if (!keeps(entry)) entry.failed?.(reason)
    for (const tell of this.#onDrained.splice(0)) tell()
  }
}

const closed = () => new Fault('host/closed', 'undermind is stopping and takes nothing more. Start it again.')
