import type { RunLimits, RunStage } from '../domain/agent.ts'
import type { Failure } from '../domain/errors.ts'
import type { ToolCall } from '../domain/escalation.ts'
import type { EvaluationId, RunId, TaskId, WorldId } from '../domain/ids.ts'
import type { Visit } from './chair.ts'

/** A call of the last thought that a tool has still to answer; `n` is its place in the conversation. */
export interface OpenCall {
  n: number
  tool: string
  /** True when it changes something; such calls run one after the other. */
  effect: boolean
  begun: boolean
}

export interface AgentRunContext {
  id: RunId
  evaluation: EvaluationId
  task: TaskId
  world: WorldId
  stage: RunStage
  limits: RunLimits
  visit: number
  steps: number
  tokens: number
  /** Tokens that the conversation has now. */
  size: number
  tainted: boolean
  open: OpenCall[]
  done: string[]
  /** What the last effect that failed reported, while none has succeeded. */
  effectFailed: string | null
  text: string | null
  proposed: ToolCall[]
  plan: string | null
  /** The call that may have happened. */
  unsure: ToolCall | null
  failure: Failure | null
  /** Why it may not go on. */
  stopped: Failure | null
}

export type AgentRunInput = Pick<
  AgentRunContext,
  'id' | 'evaluation' | 'task' | 'world' | 'stage' | 'limits' | 'tainted'
>

export interface ThinkWork extends Visit {
  run: RunId
  /** True when it has to answer now: no tool is offered any more. */
  last: boolean
}

export interface CompactWork extends Visit {
  run: RunId
}

/** What a model's answer comes to, when its words are in the rows. */
export interface Thought {
  /** True when it called tools, whatever became of the calls. */
  asked: boolean
  text: string
  calls: OpenCall[]
  proposed: ToolCall[]
  plan: string | null
  /** Tokens that the call used, and those that the conversation has after it. */
  tokens: number
  size: number
}

export interface ToolAnswer {
  n: number
  outcome: 'done' | 'failed' | 'unknown'
  effect: boolean
  call: ToolCall
  /** What the tool said, shortened. */
  brief: string
  tokens: number
}

export type AgentRunEvent =
  | ({ type: 'toolResult' } & ToolAnswer)
  /** The evaluation does not want it any more, and nothing has begun. */
  | { type: 'cancel' }
  /** The user wants it to stop; what has begun is finished first. */
  | { type: 'stop'; reason: string }
