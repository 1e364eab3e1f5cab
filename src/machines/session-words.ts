import { minute, second } from '../domain/clock.ts'
import type { Failure } from '../domain/errors.ts'
import type { CycleId, SessionId } from '../domain/ids.ts'
import type { Delivery, SessionKind } from '../domain/session.ts'
import type { Visit } from './chair.ts'

/** The steps of a wake that it goes on from when they have failed; before them it begins anew. */
export type LateStep = 'execute' | 'compress' | 'worldDiff' | 'compile' | 'deliver'

export interface SessionContext {
  id: SessionId
  agent: string
  session: string
  kind: SessionKind
  /** Sequence number of the newest message from outside, and of the newest that has been answered. */
  inbound: number
  cursor: number
  /** When the first message came that no wake has taken up. */
  since: number | null
  /** Newest message that the wake in hand answers. */
  through: number
  visit: number
  /** Attempts in a row that failed. */
  attempts: number
  /** Where the wake in hand goes on; null: at its beginning. */
  resume: LateStep | null
  failure: Failure | null
  /** Whether the last answer is known to have arrived. */
  delivery: Delivery | null
}

export type SessionInput = Pick<SessionContext, 'id' | 'agent' | 'session' | 'kind' | 'inbound' | 'cursor' | 'since'>

/** A step of the cycle that answers the messages after `from`, through `through`. */
export interface CycleWork extends Visit {
  session: SessionId
  from: number
  through: number
}

export type ReflexVerdict = { kind: 'reply' | 'defer' }

export type SessionEvent =
  /** A message has come; it is in the rows. */
  | { type: 'message'; seq: number; at: number }
  /** Somebody has found messages that are not answered. */
  | { type: 'wake'; seq: number; at: number }

/** How long a session waits after a message for another, and at most. */
export const debounce = { settleMs: 750, patienceMs: 5 * second } as const

const firstPauses = [5 * second, 15 * second, 45 * second] as const
const longPause = 10 * minute
const longestPause = 60 * minute

/** Milliseconds to wait after so many failed attempts: three quick ones, then ten minutes, and longer each time up to an hour. */
export const pauseAfter = (attempts: number): number =>
  firstPauses[attempts - 1] ?? Math.min(longestPause, longPause * 2 ** Math.min(10, attempts - firstPauses.length - 1))

/** The id of the cycle that answers a session's messages through one of them. */
export const cycleId = (session: SessionId, through: number): CycleId => `${session}:${through}` as CycleId
