import type { AnyEventObject } from 'xstate'
import type { Clock } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'
import type { ActorId } from '../domain/ids.ts'
import type { Ledger } from '../domain/ledger.ts'
import type { News } from '../domain/news.ts'
import type { ActorHost, OutsideMessage } from './actor-host.ts'
import type { InspectedStep, Inspector } from './inspection.ts'
import { type Entry, Queue } from './queue.ts'
import type { Seat, Turn } from './seat.ts'
import { Stage } from './stage.ts'
import { Timekeeper } from './timekeeper.ts'
import { type Message, type Outcome, UnitOfWork } from './unit-of-work.ts'
import type { WorkHandlers } from './work.ts'
import { Worker } from './worker.ts'

/** Places where a test may stop the process: around the commit and around work. */
export type FaultPoint = 'begun' | 'before-commit' | 'after-commit' | 'before-work' | 'after-work'

export interface HostOptions {
  ledger: Ledger
  clock: Clock
  seats: readonly Seat[]
  handlers: WorkHandlers
  /** Milliseconds of work after which a group of messages is committed. */
  groupMs?: number
  /** Called at each fault point; used by tests that kill the process. */
  fault?: (point: FaultPoint) => void
  /** Called when the clock shows an earlier time than before: what waits for a time of day must be looked at anew. */
  onTurnedBack?: () => void
  /** Where errors of observers go. */
  onObserverError?: (error: unknown) => void
}

const nothing = () => {}

/** A disk that takes its time gets larger groups, as long as its commits, up to so many times `groupMs`. */
const mostTimes = 3

/**
 * The actor host on SQLite. Messages that are ready together share a transaction; only after its commit are work
 * started, observers told and promises resolved. A message that fails is redone alone, and after three failures it is a
 * dead letter. While the store cannot write, messages wait and whoever asked is told.
 */
export class SqliteHost implements ActorHost, AsyncDisposable {
  readonly #ledger: Ledger
  readonly #clock: Clock
  readonly #stage: Stage
  readonly #worker: Worker
  readonly #timekeeper: Timekeeper
  readonly #queue: Queue
  readonly #groupMs: number
  readonly #fault: (point: FaultPoint) => void
  readonly #onObserverError: (error: unknown) => void
  readonly #inspectors = new Set<Inspector>()
  readonly #listeners = new Set<(news: News) => void>()
  #unit: UnitOfWork | null = null
  /** How long commits take of late, in milliseconds. */
  #commitMs = 0

  constructor(options: HostOptions) {
    this.#ledger = options.ledger
    this.#clock = options.clock
    this.#groupMs = options.groupMs ?? 2
    this.#fault = options.fault ?? nothing
    this.#onObserverError = options.onObserverError ?? nothing
    this.#queue = new Queue({
      clock: options.clock,
      isTransient: (error) => options.ledger.isTransient(error),
      isFatal: (error) => options.ledger.isFatal(error),
      run: (entries) => this.#group(entries),
      bury: (entry, error) => this.#bury(entry, error),
      onStall: (reason) => this.#publish([{ type: 'store', state: reason === null ? 'flowing' : 'stalled', reason }]),
      onFatal: (error) => {
        this.#timekeeper.stop()
        // What runs now is the business of whoever has the store.
        void this.#worker.stop()
        this.#publish([
          { type: 'store', state: 'lost', reason: error instanceof Error ? error.message : String(error) },
        ])
      },
    })
    const post = (message: Message) => void this.#queue.add({ message, internal: true })
    this.#worker = new Worker({
      handlers: options.handlers,
      ledger: options.ledger,
      clock: options.clock,
      fault: this.#fault,
      post,
      write: (change) => this.write(change),
    })
    this.#timekeeper = new Timekeeper({
      ledger: options.ledger,
      clock: options.clock,
      post,
      onTurnedBack: options.onTurnedBack ?? nothing,
    })
    this.#stage = new Stage(options.seats, this.#turn())
  }

  /** Takes up what an earlier process left: due timers, and work that was ordered or interrupted. */
  async start(): Promise<void> {
    await this.#worker.recover()
    this.#timekeeper.arm()
  }

  get liveActors(): number {
    return this.#stage.size
  }

  async dispatch(message: OutsideMessage): Promise<Outcome> {
    return this.#queue.ask({
      message: { to: message.to, event: message.event, asked: true },
      ...(message.id !== undefined && { seen: message.id }),
    }) as Promise<Outcome>
  }

  dispatchAll(messages: readonly { to: ActorId; event: AnyEventObject }[]): Promise<void> {
    return this.#queue.askAll(messages.map(({ to, event }) => ({ message: { to, event, asked: true } })))
  }

  async spawn(kind: string, id: ActorId, input: unknown, parent: ActorId | null): Promise<void> {
    await this.spawnAll(kind, parent, [{ id, input }])
  }

  spawnAll(kind: string, parent: ActorId | null, actors: readonly { id: ActorId; input: unknown }[]): Promise<void> {
    return this.#queue.askAll(actors.map(({ id, input }) => ({ spawn: { kind, id, input, parent } })))
  }

  write<T>(change: (turn: Turn) => T): Promise<T> {
    return this.#queue.ask({ write: change }) as Promise<T>
  }

  passivate(id: ActorId): void {
    this.#stage.evict(id)
  }

  inspect(inspector: Inspector): () => void {
    this.#inspectors.add(inspector)
    return () => void this.#inspectors.delete(inspector)
  }

  subscribe(listener: (news: News) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Resolves when nothing is queued and no work runs, or when the store cannot be written and all must wait. */
  async idle(): Promise<void> {
    while ((!this.#queue.empty && !this.#queue.stalled) || this.#worker.busy) {
      await this.#queue.drained()
      await this.#worker.quiet()
    }
  }

  /** Ends in order: work that may be repeated is aborted and stays ordered, other work is waited for, nothing is cancelled. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#timekeeper.stop()
    await this.#worker.stop()
    await this.#queue.close()
  }

  #turn(): Turn {
    const unit = (): UnitOfWork => {
      if (!this.#unit) throw new Fault('host/no-turn', 'An actor acted outside the handling of a message.')
      return this.#unit
    }
    return {
      get now() {
        return unit().now
      },
      tell: (from, to, event) => unit().tell(from, to, event),
      later: (look) => unit().later(look),
      spawn: (parent, kind, id, input) => unit().spawn(parent, kind, id, input),
      news: (item) => unit().news(item),
    }
  }

  /** Runs entries from the front for as long as the group lasts; returns how many were taken, or throws with nothing done. */
  #group(entries: Iterable<Entry>): number {
    const [now, watched] = [this.#clock.now(), this.#inspectors.size > 0]
    const unit = new UnitOfWork(this.#ledger, this.#stage, now, this.#worker.startsAtOnce, watched)
    this.#unit = unit
    this.#stage.attend(unit)
    const taken: { entry: Entry; value: unknown; error?: unknown }[] = []
    const closesAt = performance.now() + Math.max(this.#groupMs, Math.min(this.#commitMs, this.#groupMs * mostTimes))
    try {
      this.#ledger.begin()
      this.#fault('begun')
      for (const entry of entries) {
        taken.push(this.#take(entry, unit))
        if (performance.now() >= closesAt) break
      }
      unit.write()
      this.#fault('before-commit')
      const begun = performance.now()
      this.#ledger.commit()
      this.#commitMs += (performance.now() - begun - this.#commitMs) / 8
    } catch (error) {
      this.#ledger.rollback()
      unit.undo()
      throw error
    } finally {
      this.#stage.leave()
      this.#unit = null
    }
    this.#fault('after-commit')
    unit.keep()
    for (const { entry, value, error } of taken) error === undefined ? entry.done?.(value) : entry.failed?.(error)
    this.#worker.take(unit.aftermath.ordered, unit.aftermath.dropped)
    if (unit.aftermath.timersMoved) this.#timekeeper.arm()
    this.#observe(unit.aftermath.steps)
    this.#publish(unit.aftermath.news)
    return taken.length
  }

  #take(entry: Entry, unit: UnitOfWork): { entry: Entry; value: unknown; error?: unknown } {
    if ('write' in entry) return this.#tryWrite(entry, entry.write, unit)
    if ('spawn' in entry) {
      const { parent, kind, id, input } = entry.spawn
      unit.spawn(parent, kind, id, input)
      unit.settle()
      return { entry, value: undefined }
    }
    const { message, seen } = entry
    if (seen !== undefined && !this.#ledger.firstSight(seen, unit.now)) return { entry, value: 'duplicate' }
    return { entry, value: unit.deliver(message) }
  }

  /** A write that throws is undone by itself: it is its caller's error, not the group's. */
  #tryWrite(
    entry: Entry,
    change: (turn: Turn) => unknown,
    unit: UnitOfWork,
  ): { entry: Entry; value: unknown; error?: unknown } {
    let value: unknown
    this.#ledger.savepoint()
    try {
      value = change(unit)
      this.#ledger.release()
    } catch (error) {
      this.#ledger.rollbackToSavepoint()
      if (this.#ledger.isTransient(error)) throw error
      unit.forget()
      return {
        entry,
        value: undefined,
        error: error ?? new Fault('host/write-failed', 'A write failed without a reason.'),
      }
    }
    unit.settle()
    return { entry, value }
  }

  #bury(entry: Entry, error: unknown): void {
    if (!('message' in entry)) return
    const { message } = entry
    this.#ledger.begin()
    try {
      const now = this.#clock.now()
      if (!message.claim || message.claim(this.#ledger, now)) {
        const reason = error instanceof Error ? error.message : String(error)
        this.#ledger.bury({ actor: message.to, event: textOf(message.event), reason, at: now })
      }
      this.#ledger.commit()
    } catch (second) {
      this.#ledger.rollback()
      throw second
    }
  }

  #observe(steps: readonly InspectedStep[]): void {
    if (this.#inspectors.size === 0) return
    for (const step of steps) this.#each(this.#inspectors, step)
  }

  #publish(news: readonly News[]): void {
    for (const item of news) this.#each(this.#listeners, item)
  }

  #each<T>(listeners: Iterable<(item: T) => void>, item: T): void {
    for (const listener of listeners) {
      try {
        listener(item)
      } catch (error) {
        this.#onObserverError(error)
      }
    }
  }
}

/** What was sent from outside may be anything; a dead letter keeps at least its type. */
function textOf(event: AnyEventObject): string {
  try {
    return JSON.stringify(event)
  } catch {
    return JSON.stringify({ type: String(event.type) })
  }
}
