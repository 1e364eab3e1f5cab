import type { Analysis, Decision } from '../domain/decision.ts'
import type { Failure } from '../domain/errors.ts'
import type { CardKind, Proposal, Provenance, ToolCall } from '../domain/escalation.ts'
import type { ActorId, CallId, EvaluationId, TaskId, TickId, WorldId } from '../domain/ids.ts'
import type { Intent } from '../domain/task.ts'
import type { Visit } from './chair.ts'

/** A proposal as the user is asked about it. An approval must name the digest of what was shown. */
export interface Question {
  kind: CardKind
  proposal: Proposal
  digest: string
  fingerprint: string
}

export interface EvaluationContext {
  id: EvaluationId
  task: TaskId
  world: WorldId
  instance: ActorId
  /** Null for one made outside a tick. */
  tick: TickId | null
  batch: number
  from: number
  through: number
  intent: Intent
  retryOf: EvaluationId | null
  tainted: boolean
  /** Raised each time work is ordered, so that a state entered again orders anew. */
  visit: number
  decision: Decision['decision'] | null
  /** What carrying the decision out takes, where the model said so. */
  needs: 'text' | 'tools' | null
  reason: string | null
  text: string | null
  sources: Provenance[]
  call: CallId | null
  question: Question | null
  /** Which of the question's calls is carried out next. */
  nextCall: number
  response: string | null
  /** A plan in words that the user has said yes to. */
  plan: string | null
  /** True once an agent has begun to change something: what has begun is not taken back. */
  begun: boolean
  /** How the work that has just ended stands. */
  outcome: 'result' | Standing | null
  dismissal: Dismissal | null
  /** The answer that counted last. */
  answer: Answer | null
  failure: Failure | null
  /** True when a failure counts against the task; false when it was the whole tick's. */
  counts: boolean
  /** True once the tick has been told that it need not wait any longer. */
  released: boolean
}

export type Dismissal = 'user' | 'expired' | 'withdrawn'

export type EvaluationInput = Pick<
  EvaluationContext,
  'id' | 'task' | 'world' | 'instance' | 'tick' | 'batch' | 'from' | 'through' | 'intent' | 'retryOf' | 'tainted'
>

/**
 * How a proposal stands when it arrives, read from rows: `covered` when the task's own words asked for exactly these
 * calls, so that nobody need be asked.
 */
export type Standing = 'covered' | 'new' | 'alreadyOpen' | 'dismissedBefore'

export type JudgedAnalysis =
  | Extract<Analysis, { kind: 'result' }>
  | (Extract<Analysis, { kind: 'proposal' }> & { standing: Standing; question: Question })

/** Who answered, and which answer it was. */
export interface Answer {
  by: string
  answer: string
}

export type EvaluationEvent =
  | { type: 'verdict'; call: CallId; verdict: Decision; tainted: boolean }
  | { type: 'judgingFailed'; failure: Failure; counts: boolean }
  | { type: 'ask'; question: Question }
  | ({ type: 'approve'; digest: string; calls?: ToolCall[] } & Answer)
  | ({ type: 'dismiss'; reason: Dismissal } & Answer)
  | ({ type: 'respond'; text: string } & Answer)
  | ({ type: 'checked'; happened: boolean } & Answer)
  /** A newer card of the same task takes the place of this one. */
  | { type: 'replace' }
  | { type: 'cancel'; reason: string }
  | { type: 'supersede' }
  /** The agent at work for it begins to change something. */
  | { type: 'effectBegun' }

export interface StepInput extends Visit {
  evaluation: EvaluationId
  needs: 'text' | 'tools' | null
  reason: string
  response: string | null
  plan: string | null
}

export interface CarryOutInput extends Visit {
  evaluation: EvaluationId
  task: TaskId
  call: ToolCall
}
