import {
  type ActorLogic,
  type AnyActorLogic,
  type AnyActorRef,
  type AnyStateMachine,
  createActor,
  type EventObject,
  type Snapshot,
  type SnapshotFrom,
} from 'xstate'
import { Fault } from '../domain/errors.ts'
import type { ActorId } from '../domain/ids.ts'
import type { ActorRow } from '../domain/ledger.ts'
import type { Seat, Turn } from './seat.ts'

type AnySnapshot = SnapshotFrom<AnyStateMachine>

/** An actor in memory, with what its row says of it. `version` 0: it has no row yet. */
export interface Live {
  readonly id: ActorId
  readonly seat: Seat
  readonly parent: ActorId | null
  readonly createdAt: number
  readonly ref: ReturnType<typeof createActor<AnyStateMachine>>
  version: number
  /** The version its row stands at; behind `version` while a transaction is open. */
  rowVersion: number
  state: string | null
  snapshot: AnySnapshot | null
  /** False only when it has surely set none. */
  mayHaveTimers: boolean
}

/** What the stage notices while actors act; the unit of work turns it into rows. */
export interface StageHand {
  timerSet(actor: ActorId, name: string, delay: number, event: EventObject): void
  timerCleared(actor: ActorId, name: string): void
  /** `waits` tells whether the chair that ordered it still waits for the result. */
  workOrdered(actor: ActorId, invoke: string, kind: string, input: { visit: number }, waits: () => boolean): void
  workDropped(actor: ActorId, invoke: string, input: { visit: number }): void
}

/** Custom logic, not a chart: a chart would copy its map of children at each spawn and remember every event type for ever. */
const supervisor: ActorLogic<Snapshot<undefined>, { type: 'passivate'; ref: AnyActorRef }> = {
  getInitialSnapshot: () => ({ status: 'active', output: undefined, error: undefined }),
  transition: (snapshot, event, scope) => {
    if (event.type === 'passivate') scope.stopChild(event.ref)
    return snapshot
  },
  getPersistedSnapshot: (snapshot) => snapshot,
  restoreSnapshot: () => ({ status: 'active', output: undefined, error: undefined }),
}

/**
 * Where actors live while they are in memory. XState's own timers are replaced: delays are handed to the stage hand, who
 * makes them rows.
 */
export class Stage {
  readonly #live = new Map<ActorId, Live>()
  readonly #charts = new Map<string, AnyStateMachine>()
  readonly #seats = new Map<string, Seat>()
  readonly #root: ReturnType<typeof createActor<typeof supervisor>>
  #hand: StageHand | null = null
  #evicting = false

  constructor(seats: readonly Seat[], turn: Turn) {
    for (const seat of seats) {
      this.#seats.set(seat.kind, seat)
      this.#charts.set(seat.kind, this.#seated(seat.kind, seat.machine(turn)))
    }
    this.#root = createActor(supervisor, { id: 'supervisor' }).start()
    const { system } = this.#root
    const rows: typeof system.scheduler = {
      schedule: (source, target, event, delay, name = event.type) => {
        if (source !== target) {
          throw new Fault(
            'host/delayed-send',
            `${source.id} sends ${event.type} to ${target.id} with a delay: only an actor's own delays are kept.`,
          )
        }
        const live = this.#live.get(source.id as ActorId)
        if (live) live.mayHaveTimers = true
        this.#hand?.timerSet(source.id as ActorId, name, delay, event)
      },
      cancel: (source, name) => {
        if (!this.#evicting) this.#hand?.timerCleared(source.id as ActorId, name)
      },
      cancelAll: () => {},
    }
    system.scheduler = rows
  }

  get size(): number {
    return this.#live.size
  }

  /** Until the returned function is called, `hand` is told of everything that happens. */
  attend(hand: StageHand): void {
    this.#hand = hand
  }

  leave(): void {
    this.#hand = null
  }

  find(id: ActorId): Live | undefined {
    return this.#live.get(id)
  }

  seatOf(kind: string): Seat {
    const seat = this.#seats.get(kind)
    if (!seat)
      throw new Fault(
        'host/unknown-kind',
        `No chart is known for actors of kind ${kind}. This store was written by another build.`,
        { kind },
      )
    return seat
  }

  /** Makes a new actor and lets it take its first step. */
  create(kind: string, id: ActorId, input: unknown, parent: ActorId | null, now: number): Live {
    const seat = this.seatOf(kind)
    const ref = createActor(this.#charts.get(kind)!, { id, parent: this.#root, input })
    throwIfBroken(ref.getSnapshot())
    const live: Live = {
      id,
      seat,
      parent,
      createdAt: now,
      ref,
      version: 0,
      rowVersion: 0,
      state: null,
      snapshot: null,
      mayHaveTimers: false,
    }
    this.#live.set(id, live)
    ref.start()
    return live
  }

  /** Brings an actor back from its row, as it was: no entry action runs again, delays keep the time they had left. */
  revive(row: ActorRow): Live {
    const seat = this.seatOf(row.kind)
    const snapshot = upgraded(seat, row)
    const ref = createActor(this.#charts.get(row.kind)!, {
      id: row.id,
      parent: this.#root,
      snapshot: snapshot as AnySnapshot,
      input: undefined,
    })
    throwIfBroken(ref.getSnapshot())
    const { id, parent, createdAt, version, state } = row
    const live: Live = {
      id,
      seat,
      parent,
      createdAt,
      ref,
      version,
      rowVersion: version,
      state,
      snapshot: ref.getSnapshot(),
      mayHaveTimers: true,
    }
    this.#live.set(id, live)
    ref.start()
    return live
  }

  /** Takes an actor out of memory without its noticing; its row and timers stay. */
  evict(id: ActorId): void {
    const live = this.#live.get(id)
    if (!live) return
    this.#live.delete(id)
    if (live.ref.getSnapshot().status !== 'active') return
    this.#evicting = true
    try {
      this.#root.send({ type: 'passivate', ref: live.ref })
    } finally {
      this.#evicting = false
    }
  }

  /** Fills the chart's chairs: an invoked chair orders its work when it starts and drops it when its state is left. */
  #seated(kind: string, chart: AnyStateMachine): AnyStateMachine {
    const actors: Record<string, AnyActorLogic> = {}
    for (const [name, logic] of Object.entries(chart.implementations.actors) as [string, AnyActorLogic][]) {
      actors[name] = {
        ...logic,
        start: (snapshot, scope) => {
          const { self } = scope
          const parent = self._parent
          if (snapshot.status !== 'active' || !parent) return
          const waits = () => self.getSnapshot().status === 'active' && parent.getSnapshot().children[self.id] === self
          this.#hand?.workOrdered(parent.id as ActorId, self.id, `${kind}.${name}`, snapshot.input, waits)
        },
        transition: (snapshot, event, scope) => {
          if (event.type === 'xstate.stop' && snapshot.status === 'active' && !this.#evicting && scope.self._parent) {
            this.#hand?.workDropped(scope.self._parent.id as ActorId, scope.self.id, snapshot.input)
          }
          return logic.transition(snapshot, event, scope)
        },
      }
    }
    return chart.provide({ actors })
  }
}

function throwIfBroken(snapshot: Snapshot<unknown>): void {
  if (snapshot.status === 'error') throw snapshot.error
}

function upgraded(seat: Seat, row: ActorRow): unknown {
  let snapshot: unknown = JSON.parse(row.snapshot ?? 'null')
  for (let at = row.chart; at !== seat.version; at++) {
    const step = seat.upgrades?.[at]
    if (!step) {
      throw new Fault(
        'host/chart-version',
        `Cannot revive ${row.id}: it was written by version ${row.chart} of the ${row.kind} chart, this build has version ${seat.version}. Install the build that wrote it, or a newer one.`,
        { actor: row.id, wrote: row.chart, has: seat.version },
      )
    }
    snapshot = step(snapshot)
  }
  return snapshot
}
