import type { EvaluationPhase, EvaluationState } from './evaluation.ts'
import type { EvaluationId, TaskId, TickId, WorldId } from './ids.ts'

/** What has happened, told after it is durable. News carries ids and states; what it is about is read from rows. */
export type News =
  | {
      type: 'evaluation'
      id: EvaluationId
      task: TaskId
      tick: TickId | null
      state: EvaluationState
      phase: EvaluationPhase | null
    }
  | { type: 'tick'; id: TickId; world: WorldId; state: string }
  | { type: 'world'; id: WorldId; state: string }
  | { type: 'card'; id: EvaluationId; state: string }
  | { type: 'task'; id: TaskId; what: 'added' | 'changed' | 'paused' | 'retired' }
  | { type: 'notification'; title: string; body: string }
  | { type: 'store'; state: 'stalled' | 'flowing' | 'lost'; reason: string | null }
