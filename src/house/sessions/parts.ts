import type { ActorHost } from '../../actors/actor-host.ts'
import type { ChatModel } from '../../domain/chat.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Channel, SessionMemory, Steering } from '../../domain/session.ts'
import type { Tool } from '../../domain/tool.ts'
import type { Route } from '../../domain/usage.ts'
import type { Calls } from '../calls.ts'
import type { Stores } from '../stores.ts'

/** A model that sessions talk through. */
export interface Talker {
  chat: ChatModel
  route: Route
  /** Whether it may be offered tools. */
  tools: boolean
}

/** Who answers at once and who works; null where there is no language model for it. */
export interface SessionMinds {
  /** Looks for models that may have come since. */
  refresh(signal: AbortSignal): Promise<void>
  fast(): Talker | null
  deep(): Talker | null
  /** The deep one has said that it cannot use tools. */
  deepLacksTools(): void
}

/** What answering needs of the world around it. */
export interface SessionParts {
  stores: Stores
  host: Pick<ActorHost, 'write'>
  clock: Clock
  calls: Calls
  tools: ReadonlyMap<string, Tool>
  minds: SessionMinds
  channel: Channel
  timezone(): string
  isEnabled(): boolean
  /** The part of the core's window from which summaries go to memory. */
  guardAt(): number
  /** What the background mind advises for work for a peer just now. */
  steeringFor(peer: string): Steering | null
  /** Resolves when it is kept for good. */
  remember(memories: readonly SessionMemory[]): Promise<void>
}
