import type { Failure } from '../domain/errors.ts'
import type { ActorId, CallId, TickId, WorldId } from '../domain/ids.ts'
import type { Visit } from './chair.ts'

export type TickEnd = 'quiet' | 'done' | 'failed' | 'superseded' | 'cancelled' | 'timedOut'

export interface TickInput {
  id: TickId
  world: WorldId
  instance: ActorId
  generation: number
  /** True when the user wants due tasks judged even where nothing changed. */
  force: boolean
}

export interface TickContext extends TickInput {
  visit: number
  /** What `commit` is to make good, opaque to the chart. */
  token: number
  tainted: boolean
  /** How many batches there are to judge, and which one is in hand. */
  batches: number
  batch: number
  evaluations: number
  judged: CallId | null
  failure: Failure | null
  batchesFailed: number
  modelCalls: number
  callsAvoided: number
  end: TickEnd | null
}

export interface TickWork extends Visit {
  tick: TickId
}

export interface BatchWork extends TickWork {
  batch: number
}

export interface DealWork extends BatchWork {
  call: CallId | null
  failure: Failure | null
}

export interface LeaveWork extends TickWork {
  end: TickEnd
}

export interface Observed {
  toJudge: number
  token: number
  tainted: boolean
  callsAvoided: number
}

export type TickEvent =
  | { type: 'supersede' }
  | { type: 'cancel'; reason: string }
  | { type: 'evaluationSettled'; remaining: number }
