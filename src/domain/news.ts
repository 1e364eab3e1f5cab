import type { EvaluationPhase, EvaluationState } from './evaluation.ts'
import type { DirectiveId, EvaluationId, RunId, SessionId, TaskId, TickId, WorldId } from './ids.ts'

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
  | { type: 'agentRun'; id: RunId; evaluation: EvaluationId; state: string }
  /** A session has moved, or has a new message: `head` is its newest. */
  | { type: 'session'; id: SessionId; agent: string; session: string; state: string; head: number }
  /** What steers the work of sessions has changed; `scope` is the peer it is about, null for all. */
  | { type: 'steering.directive'; id: DirectiveId; scope: string | null; state: 'current' | 'revoked' }
  | { type: 'tick'; id: TickId; world: WorldId; state: string }
  | { type: 'world'; id: WorldId; state: string }
  | { type: 'card'; id: EvaluationId; state: string }
  | { type: 'task'; id: TaskId; what: 'added' | 'changed' | 'paused' | 'retired' }
  | { type: 'notification'; title: string; body: string }
  | { type: 'store'; state: 'stalled' | 'flowing' | 'lost'; reason: string | null }
