import { z } from 'zod'
import type { Failure } from './errors.ts'
import type { Provenance } from './escalation.ts'
import type { CallId, EvaluationId, TaskId, TickId, WorldId } from './ids.ts'

export const EvaluationState = z.enum([
  'inProgress',
  'acted',
  'skipped',
  'awaitingApproval',
  'dismissed',
  'failed',
  'cancelled',
  'superseded',
])
export type EvaluationState = z.infer<typeof EvaluationState>

/** What an evaluation in progress is doing. */
export type EvaluationPhase = 'judging' | 'executing' | 'analysing' | 'carryingOut'

/** One task in one tick, as people see it. */
export interface Evaluation {
  id: EvaluationId
  task: TaskId
  world: WorldId
  /** The tick it belongs to; null when it was made outside one (a retry, a question about a task's permission). */
  tick: TickId | null
  batch: number
  state: EvaluationState
  phase: EvaluationPhase | null
  decision: 'skip' | 'act' | 'escalate' | null
  reason: string | null
  text: string | null
  sources: Provenance[]
  /** The changes it covers: after `from`, up to and including `through`. */
  from: number
  through: number
  call: CallId | null
  failure: Failure | null
  retryOf: EvaluationId | null
  /** True once external content took part. */
  tainted: boolean
  createdAt: number
  settledAt: number | null
}
