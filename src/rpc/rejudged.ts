import type { ToolCall } from '../domain/escalation.ts'
import type { Evaluation } from '../domain/evaluation.ts'

/** What a deeper look in words came to: a result, or what it would have proposed. */
export interface ReanalysisView {
  kind: 'result' | 'proposal'
  text: string
  /** Of a proposal. */
  title: string | null
  calls: ToolCall[]
}

/** What was decided about a task, and what another model decides on the same changes. */
export interface RejudgedView {
  evaluation: string
  task: string
  title: string
  recorded: Pick<Evaluation, 'decision' | 'reason' | 'text' | 'sources' | 'state' | 'failure'> & {
    /** Null where that is no longer kept. */
    provider: string | null
    model: string | null
    /** Title of the card that came of it. */
    card: string | null
  }
  rejudged: Pick<Evaluation, 'decision' | 'reason' | 'text' | 'sources' | 'failure'> & {
    provider: string
    model: string
    route: 'local' | 'cloud'
    analysis: ReanalysisView | null
  }
  changes: {
    shown: number
    /** Changes of its window that are no longer kept. */
    missing: number
    /** Changes for which the other model had no room. */
    left: number
  }
  used: { calls: number; promptTokens: number; completionTokens: number; cost: number | null; durationMs: number }
}
