import type { AnyEventObject } from 'xstate'
import type { ActorId } from '../domain/ids.ts'
import type { News } from '../domain/news.ts'
import type { Inspector } from './inspection.ts'
import type { Turn } from './seat.ts'
import type { Outcome } from './unit-of-work.ts'

/** What the rest of the system asks of whatever runs its actors. */
export interface ActorHost {
  /** Delivers a message; resolves once everything that follows from it is durable. */
  dispatch(message: OutsideMessage): Promise<Outcome>
  /** Delivers many; resolves once all are durable. Those whose actor has ended are dropped. */
  dispatchAll(messages: readonly { to: ActorId; event: AnyEventObject }[]): Promise<void>
  /** Makes an actor unless there is or was one of this id; resolves once it is durable. */
  spawn(kind: string, id: ActorId, input: unknown, parent: ActorId | null): Promise<void>
  spawnAll(kind: string, parent: ActorId | null, actors: readonly { id: ActorId; input: unknown }[]): Promise<void>
  /** Runs `change` in a transaction of the host's, so that there is one writer; what it throws undoes it alone. */
  write<T>(change: (turn: Turn) => T): Promise<T>
  /** Takes an actor out of memory; the next message brings it back. */
  passivate(id: ActorId): void
  /** Tells of every step after it is durable; returns a way to stop. */
  inspect(inspector: Inspector): () => void
  subscribe(listener: (news: News) => void): () => void
}

export interface OutsideMessage {
  to: ActorId
  event: AnyEventObject
  /** Given by the sender: the same id again does nothing and is called a duplicate. */
  id?: string
}
