import type { AnyEventObject, EventObject } from 'xstate'
import { Fault } from '../domain/errors.ts'
import { type ActorId, id, type OutboxKey } from '../domain/ids.ts'
import type { Ledger, OutboxState } from '../domain/ledger.ts'
import type { News } from '../domain/news.ts'
import { type InspectedStep, stateName } from './inspection.ts'
import type { Turn } from './seat.ts'
import type { Live, Stage, StageHand } from './stage.ts'

/** A message to an actor, or, with `invoke`, to the chair that waits for a piece of work. */
export interface Message {
  to: ActorId
  event: AnyEventObject
  invoke?: string
  sender?: ActorId
  /** Moves the row this message comes from; false when that has happened already, and the message is then dropped. */
  claim?: (ledger: Ledger, now: number) => boolean
  /** True when whoever sent it is told what became of it: then it is no dead letter when nobody is there to take it. */
  asked?: boolean
}

/** `ignored`: the actor was there and nothing followed from the message. */
export type Outcome = 'handled' | 'ignored' | 'duplicate' | 'undeliverable'

export interface OrderedWork {
  key: OutboxKey
  actor: ActorId
  invoke: string
  kind: string
  input: string
  state: OutboxState
}

/** What has to happen once the transaction is durable. */
export interface Aftermath {
  steps: InspectedStep[]
  news: News[]
  ordered: OrderedWork[]
  dropped: OutboxKey[]
  timersMoved: boolean
}

/**
 * Decides whether work that must not run twice may be entered as started, because it will run as soon as this is durable.
 * `ahead`: how much work of the kind the same transaction has ordered before.
 */
export type StartsAtOnce = (kind: string, input: unknown, ahead: number) => boolean

const deepestCascade = 10_000

/**
 * One transaction's worth of messages. Each message runs its whole cascade: the actor steps, its journal rows, the rows
 * that mirror it, and its messages to others, delivered here too. `write` puts the actors' own rows down once, with their
 * last snapshots. Nothing leaves before the commit; `undo` forgets everything after a rollback.
 */
export class UnitOfWork implements StageHand, Turn {
  readonly now: number
  readonly aftermath: Aftermath = { steps: [], news: [], ordered: [], dropped: [], timersMoved: false }
  readonly #ledger: Ledger
  readonly #stage: Stage
  readonly #startsAtOnce: StartsAtOnce
  /** Whether somebody wants to be told of the steps. */
  readonly #watched: boolean
  readonly #touched = new Set<Live>()
  readonly #pending: (() => void)[] = []
  readonly #orderedOf = new Map<string, number>()
  #sender: ActorId | null = null
  #busy = 0

  constructor(ledger: Ledger, stage: Stage, now: number, startsAtOnce: StartsAtOnce, watched: boolean) {
    this.#ledger = ledger
    this.#stage = stage
    this.now = now
    this.#startsAtOnce = startsAtOnce
    this.#watched = watched
  }

  /** Takes one message and everything that follows from it. */
  deliver(message: Message): Outcome {
    if (message.claim && !message.claim(this.#ledger, this.now)) return 'duplicate'
    const before = this.#busy
    const arrived = this.#hand(message)
    this.settle()
    return arrived ? (this.#busy > before ? 'handled' : 'ignored') : 'undeliverable'
  }

  /** Runs what has been asked for by actors or by a write, until nothing is left. */
  settle(): void {
    for (let done = 0; done < this.#pending.length; done++) {
      if (done >= deepestCascade) {
        throw new Fault(
          'host/endless-cascade',
          `A message led to more than ${deepestCascade} further ones. Two actors answer each other without end.`,
        )
      }
      this.#pending[done]!()
    }
    this.#pending.length = 0
  }

  /** Drops what a write asked for before it failed. */
  forget(): void {
    this.#pending.length = 0
  }

  /** Puts down the row of every actor that stepped. */
  write(): void {
    for (const live of this.#touched) {
      if (live.version === live.rowVersion) continue
      const snapshot = live.ref.getSnapshot()
      const settled = snapshot.status !== 'active'
      const row = {
        id: live.id,
        kind: live.seat.kind,
        parent: live.parent,
        chart: live.seat.version,
        version: live.version,
        status: settled ? ('done' as const) : ('active' as const),
        state: live.state ?? '',
        snapshot: settled ? null : JSON.stringify(live.ref.getPersistedSnapshot()),
        createdAt: live.createdAt,
        updatedAt: this.now,
      }
      if (live.rowVersion === 0) this.#ledger.insertActor(row)
      else if (!this.#ledger.updateActor(row, live.rowVersion)) {
        throw new Fault(
          'host/version-conflict',
          `Somebody else has moved ${live.id}. Only one process may write to a workspace.`,
          { actor: live.id },
        )
      }
    }
  }

  /** After the commit: actors that have ended or may rest leave memory. */
  keep(): void {
    for (const live of this.#touched) {
      live.rowVersion = live.version
      const snapshot = live.ref.getSnapshot()
      if (snapshot.status !== 'active' || live.seat.rests?.(snapshot)) this.#stage.evict(live.id)
    }
  }

  /** After a rollback: memory is ahead of the rows, so every actor that took part leaves it. */
  undo(): void {
    for (const live of this.#touched) this.#stage.evict(live.id)
  }

  tell(from: ActorId, to: ActorId, event: AnyEventObject): void {
    this.#busy++
    this.#pending.push(() => {
      this.#hand({ to, event, sender: from })
    })
  }

  later(look: () => void): void {
    this.#pending.push(look)
  }

  spawn(parent: ActorId | null, kind: string, actor: ActorId, input: unknown): void {
    this.#busy++
    this.#pending.push(() => {
      if (this.#stage.find(actor) || this.#ledger.actor(actor)) return
      this.#sender = parent
      const live = this.#stage.create(kind, actor, input, parent, this.now)
      this.#touched.add(live)
      throwIfFailed(live)
      this.#noteStep(live, { type: 'xstate.init', input } as EventObject)
    })
  }

  news(item: News): void {
    this.aftermath.news.push(item)
  }

  /**
   * Puts down what a message did to an actor. A message is one step: charts send nothing to themselves, and a chair's
   * result reaches its chart within the same call.
   */
  #noteStep(live: Live, event: EventObject): void {
    const after = live.ref.getSnapshot()
    const before = live.snapshot
    if (after === before) return
    this.#busy++
    const { id: actor, parent, seat, state: from } = live
    const to = stateName(after.value)
    const version = ++live.version
    live.snapshot = after
    live.state = to
    const sender = this.#sender
    this.#ledger.appendJournal({
      actor,
      version,
      sender,
      event: JSON.stringify(event),
      fromState: from,
      toState: to,
      at: this.now,
    })
    seat.moved?.({ id: actor, parent, before, after }, this)
    if (after.status !== 'active' && live.mayHaveTimers) this.#ledger.clearTimers(actor)
    if (!this.#watched) return
    this.aftermath.steps.push({ actor, kind: seat.kind, parent, version, sender, event, from, to, at: this.now })
  }

  timerSet(actor: ActorId, name: string, delay: number, event: EventObject): void {
    this.#pending.push(() => {
      this.#ledger.setTimer({ actor, name, dueAt: this.now + delay, event: JSON.stringify(event) })
      this.aftermath.timersMoved = true
    })
  }

  timerCleared(actor: ActorId, name: string): void {
    this.#pending.push(() => this.#ledger.clearTimer(actor, name))
  }

  workOrdered(actor: ActorId, invoke: string, kind: string, input: { visit: number }, waits: () => boolean): void {
    this.#pending.push(() => {
      const key = workKey(actor, invoke, input.visit)
      const ahead = this.#orderedOf.get(kind) ?? 0
      const state = this.#startsAtOnce(kind, input, ahead) ? 'started' : 'pending'
      const order = { key, actor, invoke, kind, input: JSON.stringify(input), state } satisfies OrderedWork
      if (this.#ledger.orderWork({ ...order, createdAt: this.now })) {
        this.aftermath.ordered.push(order)
        this.#orderedOf.set(kind, ahead + 1)
        return
      }
      // The chair was restored, or its visit repeated: what is already known is handed over, the rest is under way. If it
      // was the result itself that restored the chair, it has it by now, and the chair of this name may be a later visit's.
      if (!waits()) return
      const known = this.#ledger.work(key)
      const result: unknown = JSON.parse(known?.result ?? 'null')
      if (known?.state === 'done') this.#hand({ to: actor, invoke, event: { type: 'work.done', output: result } })
      else if (known?.state === 'failed' || known?.state === 'unknown')
        this.#hand({ to: actor, invoke, event: { type: 'work.failed', error: result } })
    })
  }

  workDropped(actor: ActorId, invoke: string, input: { visit: number }): void {
    this.#pending.push(() => {
      const key = workKey(actor, invoke, input.visit)
      if (this.#ledger.cancelWork(key, this.now)) this.aftermath.dropped.push(key)
    })
  }

  #hand(message: Message): boolean {
    const live = this.#find(message.to)
    if (live === 'unknown' || live === 'settled') {
      if (!message.asked) this.bury(message, live === 'unknown' ? 'no such actor' : 'the actor has ended')
      return false
    }
    this.#touched.add(live)
    this.#sender = message.sender ?? null
    const event = live.seat.complete ? live.seat.complete(message.event, live.id, this) : message.event
    if (message.invoke === undefined) {
      live.ref.send(event)
      throwIfFailed(live)
      this.#noteStep(live, event)
      return true
    }
    const chair = live.ref.getSnapshot().children[message.invoke]
    if (!chair) return false
    chair.send(event)
    throwIfFailed(live)
    this.#noteStep(live, asHeardByChart(message.invoke, event))
    return true
  }

  bury(message: Message, reason: string): void {
    this.#ledger.bury({ actor: message.to, event: JSON.stringify(message.event), reason, at: this.now })
  }

  #find(actor: ActorId): Live | 'unknown' | 'settled' {
    const live = this.#stage.find(actor)
    if (live) return live.ref.getSnapshot().status === 'active' ? live : 'settled'
    const row = this.#ledger.actor(actor)
    if (!row) return 'unknown'
    return row.status === 'active' ? this.#stage.revive(row) : 'settled'
  }
}

/** The event by which XState tells a chart what its chair has reported, so that the journal can be replayed. */
function asHeardByChart(invoke: string, event: EventObject): EventObject {
  const { output, error } = event as { output?: unknown; error?: unknown }
  return event.type === 'work.done'
    ? ({ type: `xstate.done.actor.${invoke}`, output, actorId: invoke } as EventObject)
    : ({ type: `xstate.error.actor.${invoke}`, error, actorId: invoke } as EventObject)
}

function throwIfFailed(live: Live): void {
  const { status, error } = live.ref.getSnapshot()
  if (status === 'error') throw error
}

export const workKey = (actor: ActorId, invoke: string, visit: number): OutboxKey =>
  id<OutboxKey>(`${actor}/${invoke}/${visit}`)
