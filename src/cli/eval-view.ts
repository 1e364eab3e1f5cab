/** A count of a count, with the range in which the true share lies; shares are 0 to 1, null when there was nothing to count. */
export interface RatioView {
  hits: number
  of: number
  share: number | null
  low: number
  high: number
}

export interface ScoreView {
  cases: number
  right: RatioView
  precision: RatioView
  urgent: RatioView
  falseSkips: RatioView
  needlessEscalations: RatioView
  wrongActs: RatioView
  escalations: RatioView
  proposals: RatioView
  needlessProposals: RatioView
  failed: number
}

/** A case that went wrong: what was said, and what a person would have said. */
export interface FailureView {
  id: string
  kind: string
  title: string
  mistakes: readonly string[]
  decision: string
  keys: readonly string[]
  said: string
  expected: readonly string[]
  must: readonly string[]
  why: string
}

/** How well a model judged the labelled cases, and what that cost. Times are milliseconds. */
export interface EvalView {
  provider: string
  model: string
  cases: number
  batch: number
  analysed: boolean
  stopped: string | null
  total: ScoreView
  kinds: readonly { kind: string; score: ScoreView }[]
  languages: readonly { lang: string; score: ScoreView }[]
  cost: {
    calls: number
    repairs: number
    unreadable: number
    promptTokens: number
    completionTokens: number
    totalMs: number
    medianMs: number
    p95Ms: number
  }
  failures: readonly FailureView[]
}

/** What the eval command asks for. */
export interface EvalRequest {
  /** Null: whoever judges tasks. */
  model: string | null
  /** The folder whose settings count if it is a workspace; it has to be one when it was named. */
  workspace: string
  isNamed: boolean
  /** Files of cases; none: those that come with undermind. */
  files: readonly string[]
  kind: string | null
  limit: number | null
  batch: number
  analyse: boolean
}

export interface EvalWatch {
  /** Ends it; what has been judged by then is the result. */
  signal: AbortSignal
  onProgress(judged: number, cases: number): void
}
