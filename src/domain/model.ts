import type { Analysis, Execution } from './decision.ts'
import type { CallId, EvaluationId, TaskId, TickId, WorldId } from './ids.ts'
import type { ReportTask, SituationReport } from './report.ts'
import type { Purpose, Route } from './usage.ts'

export interface Usage {
  promptTokens: number
  completionTokens: number
}

export interface JudgeRequest {
  report: SituationReport
  /** Set on the one repair call of a batch: what was answered, and what was wrong with it, for the tasks still open. */
  repair?: { answer: string; problems: string[] }
}

/** What a provider returned, before anything of it is believed. */
export interface RawAnswer {
  text: string
  usage: Usage
  /** True when the provider says that it stopped before the end. */
  cutOff: boolean
}

export interface StepRequest {
  task: ReportTask
  report: SituationReport
  reason: string
  /** The user's reply to an earlier proposal. */
  response?: string
}

/**
 * A provider of judgement. `judge` answers for all tasks of a report in one call; `analyse` looks deeper into an
 * escalated read task and has read-only means; `execute` writes the text of an `act`. `agent` is there only when the
 * provider can use tools.
 */
export interface Provider {
  readonly id: string
  readonly model: string
  /** How many tokens one call may hold. */
  readonly contextTokens: number
  judge(request: JudgeRequest, signal: AbortSignal): Promise<RawAnswer>
  execute(request: StepRequest, signal: AbortSignal): Promise<Execution & { usage: Usage }>
  analyse(request: StepRequest, signal: AbortSignal): Promise<Analysis & { usage: Usage }>
}

/**
 * One exchange with a provider, kept as it was. `answer` is a JSON array of what came: the first answer and, if there was
 * one, the repair.
 */
export interface ModelCall {
  id: CallId
  tick: TickId | null
  batch: number | null
  /** Null where it was made for no world. */
  world: WorldId | null
  /** The evaluation it was made for; null where it was made for a batch, or for none. */
  evaluation: EvaluationId | null
  /** The tasks it was made for. What it used is shared out among them. */
  tasks: TaskId[]
  provider: string
  model: string
  route: Route
  purpose: Purpose
  promptDigest: string
  answer: string
  repaired: 0 | 1
  /** How many times the model was asked: 1, or 2 with the repair. */
  calls: number
  /** Nothing came of it: it was broken off, could not be read, or came too late. */
  failed: boolean
  promptTokens: number
  completionTokens: number
  /** In whole millionths of the currency that the prices are in; null where no price is known. */
  cost: number | null
  durationMs: number
  at: number
}
