import type { Failure } from '../domain/errors.ts'
import type { ActorId, CallId, TickId, WorldId } from '../domain/ids.ts'
import type { JSONType } from '../domain/json.ts'
import type { Halt, Token } from '../domain/world.ts'
import type { Visit } from './chair.ts'

export type TickEnd = 'quiet' | 'done' | 'failed' | 'superseded' | 'cancelled' | 'timedOut'

export interface TickInput {
  id: TickId
  world: WorldId
  instance: ActorId
  generation: number
  /** True when the user wants due tasks judged even where nothing changed. */
  force: boolean
  /** Set while the world asks no model; the tick may find that the reason is gone. */
  halt: Halt | null
}

export interface TickContext extends TickInput {
  visit: number
  /** What `commit` is to make good, opaque to the chart. */
  token: Token
  tainted: boolean
  /** What was seen, as the profile reflects on it. */
  rendered: string
  /** More waits than one tick takes up. */
  more: boolean
  /** Whether the profile's own question was answered, and what was read in the answer. */
  asked: boolean
  answer: JSONType | null
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

export interface LookWork extends TickWork {
  halt: Halt | null
}

/** What was seen, handed to the step that reflects on it. */
export interface SeenWork extends TickWork {
  token: Token
  rendered: string
  tainted: boolean
}

export const seenBy = ({ context }: { context: TickContext }): SeenWork => ({
  visit: context.visit,
  tick: context.id,
  token: context.token,
  rendered: context.rendered,
  tainted: context.tainted,
})

export interface CommitWork extends TickWork {
  token: Token
  answer: JSONType | null
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
  token: Token
  tainted: boolean
  callsAvoided: number
  rendered: string
  more: boolean
}

/** What is to be done: batches to judge, or, with `asks`, a question of the profile's own. */
export interface Opened {
  batches: number
  evaluations: number
  asks: boolean
}

/** What came of the question: null where it was declined, or where no answer could be read twice, which `broken` says. */
export interface Answered {
  call: CallId
  calls: number
  answer: JSONType | null
  broken: string | null
}

export type TickEvent =
  | { type: 'supersede' }
  | { type: 'cancel'; reason: string }
  | { type: 'evaluationSettled'; remaining: number }

/** The second version knows halts and questions. */
export function withQuestions(snapshot: unknown): unknown {
  const { context, ...rest } = snapshot as { context: TickContext }
  return { ...rest, context: { ...context, halt: null, rendered: '', more: false, asked: false, answer: null } }
}

/** What an instance is told of a tick that came to this end. */
export const ended =
  (as: TickEnd) =>
  ({ context }: { context: TickContext }) => ({ ...context, as })
