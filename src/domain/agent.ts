import type { ChatMessage } from './chat.ts'
import type { Failure } from './errors.ts'
import type { ToolCall } from './escalation.ts'
import type { EvaluationId, RunId, TaskId, WorldId } from './ids.ts'

/**
 * What an agent run may do. `analyse`: it reads, and whatever else it wants becomes a proposal. `tools`: it also does what
 * the task's own words ask for. `plan`: the user has said yes to a plan in words, which it carries out.
 */
export type RunStage = 'analyse' | 'tools' | 'plan'

/** How far a run may go before it has to answer with what it has. */
export interface RunLimits {
  steps: number
  /** Tokens over all its model calls. */
  tokens: number
  /** Tokens of its conversation from which it is summed up before it goes on. */
  size: number
  wallClockMs: number
}

/** An agent at work for one evaluation, as people see it. */
export interface AgentRun {
  id: RunId
  evaluation: EvaluationId
  task: TaskId
  world: WorldId
  stage: RunStage
  state: string
  steps: number
  tokens: number
  tainted: boolean
  /** What its effects reported, in their own words. */
  done: string[]
  text: string | null
  /** Calls that it wanted and that the user is to be asked about. */
  proposed: ToolCall[]
  /** An action recommended in words, where no call was. */
  plan: string | null
  failure: Failure | null
  createdAt: number
  endedAt: number | null
}

/**
 * One turn of a run's conversation. `open`: a tool has been called and has not answered. A `summary` stands for
 * everything between the prompt and itself.
 */
export interface RunStep {
  n: number
  kind: 'prompt' | 'thought' | 'tool' | 'summary'
  message: ChatMessage
  /** Set for a tool's turn: the call as it is carried out. */
  call: ToolCall | null
  /** True for a call that runs and changes something. */
  effect: boolean
  open: boolean
  at: number
}
