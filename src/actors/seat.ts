import type { AnyEventObject, AnyStateMachine, EventObject, SnapshotFrom } from 'xstate'
import type { ActorId } from '../domain/ids.ts'
import type { News } from '../domain/news.ts'

/** What may be done while a message is handled; all of it becomes durable with the message, or not at all. */
export interface Turn {
  /** The time at which the message is handled. */
  readonly now: number
  /** Delivers an event to another actor in the same transaction. */
  tell(from: ActorId, to: ActorId, event: AnyEventObject): void
  /** Runs when the rows of the step in hand are down, to read them. */
  later(look: () => void): void
  spawn(parent: ActorId | null, kind: string, id: ActorId, input: unknown): void
  /** Published once the transaction is durable. */
  news(item: News): void
}

/** An actor's step from one snapshot to the next; `before` is null when it has just been made. */
export interface Step<Chart extends AnyStateMachine> {
  id: ActorId
  parent: ActorId | null
  before: SnapshotFrom<Chart> | null
  after: SnapshotFrom<Chart>
}

/** Binds a chart to the host: who sits in its chairs, and which rows mirror it. */
export interface Seat<Chart extends AnyStateMachine = AnyStateMachine> {
  readonly kind: string
  /** Raised whenever a snapshot of the former chart would not fit the new one. */
  readonly version: number
  /** The chart with its actions, guards and delays filled in; called once. */
  machine(turn: Turn): Chart
  /** Writes what people see, in the same transaction as the step. */
  moved?(step: Step<Chart>, turn: Turn): void
  /** Completes an event with facts from rows before the chart sees it, so that the journal replays without them. */
  complete?(event: EventObject, actor: ActorId, turn: Turn): EventObject
  /** True for a snapshot that may leave memory at once because nothing is expected soon. */
  rests?(snapshot: SnapshotFrom<Chart>): boolean
  /** From a version to the next one: brings an older snapshot up to date. */
  readonly upgrades?: Readonly<Record<number, (snapshot: unknown) => unknown>>
}
