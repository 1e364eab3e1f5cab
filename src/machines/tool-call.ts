import { assign, setup } from 'xstate'
import type { ToolCall } from '../domain/escalation.ts'
import type { EvaluationId, RunId } from '../domain/ids.ts'
import type { ToolAnswer } from './agent-run-words.ts'
import { chair, type Visit } from './chair.ts'
import { failed } from './evaluation-setup.ts'

export interface ToolCallContext {
  run: RunId
  evaluation: EvaluationId
  /** Its place in the run's conversation. */
  n: number
  tool: string
  effect: boolean
  /** What the tool said, once it has. */
  said: Pick<ToolAnswer, 'call' | 'brief' | 'tokens'>
}

export type ToolCallInput = Omit<ToolCallContext, 'said'>

export interface ToolWork extends Visit {
  run: RunId
  evaluation: EvaluationId
  n: number
  tool: string
}

export interface ToolOutput {
  call: ToolCall
  brief: string
  tokens: number
}

export type ToolCallEvent = { type: 'cancel' }

/** One use of a tool by an agent, from its order to its outcome. */
export const toolCall = setup({
  types: {} as { context: ToolCallContext; input: ToolCallInput; events: ToolCallEvent },
  actors: { run: chair<ToolWork, ToolOutput>() },
  guards: {
    outcomeIsUnknown: (_, { code }: { code: string }) => code === 'effect/unknown-outcome',
  },
  actions: {
    /** Seat: tells the agent run how the call went. */
    tellRun: (_, _params: ToolCallContext & { outcome: ToolAnswer['outcome'] }) => {},
    noteSaid: assign((_, said: ToolOutput) => ({ said })),
    noteFailed: assign(({ context }, { message }: { message: string }) => ({
      said: { ...context.said, brief: message },
    })),
  },
}).createMachine({
  id: 'toolCall',
  context: ({ input }) => ({
    ...input,
    said: { call: { tool: input.tool, arguments: {} }, brief: '', tokens: 0 },
  }),
  initial: 'running',
  states: {
    running: {
      invoke: {
        id: 'run',
        src: 'run',
        input: ({ context: { run, evaluation, n, tool } }) => ({ visit: 1, run, evaluation, n, tool }),
        onDone: { target: 'done', actions: { type: 'noteSaid', params: ({ event }) => event.output } },
        onError: [
          {
            guard: { type: 'outcomeIsUnknown', params: ({ event }) => failed(event.error) },
            target: 'unknown',
            actions: { type: 'noteFailed', params: ({ event }) => failed(event.error) },
          },
          { target: 'failed', actions: { type: 'noteFailed', params: ({ event }) => failed(event.error) } },
        ],
      },
      on: { cancel: 'cancelled' },
    },
    done: {
      type: 'final',
      entry: { type: 'tellRun', params: ({ context }) => ({ ...context, outcome: 'done' as const }) },
    },
    failed: {
      type: 'final',
      entry: { type: 'tellRun', params: ({ context }) => ({ ...context, outcome: 'failed' as const }) },
    },
    unknown: {
      type: 'final',
      entry: { type: 'tellRun', params: ({ context }) => ({ ...context, outcome: 'unknown' as const }) },
    },
    cancelled: { type: 'final' },
  },
})
