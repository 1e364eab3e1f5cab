import { assign, setup } from 'xstate'
import { minute } from '../domain/clock.ts'
import type {
  AgentRunContext,
  AgentRunEvent,
  AgentRunInput,
  CompactWork,
  OpenCall,
  ThinkWork,
  Thought,
  ToolAnswer,
} from './agent-run-words.ts'
import { chair } from './chair.ts'
import { failed } from './evaluation-setup.ts'

const outOfTime = {
  code: 'agent/out-of-time',
  message: 'The agent did not come to an end in the time it is given.',
} as const

/** The calls that begin now: all that only read, or else the next one alone. */
export const nextCalls = (open: readonly OpenCall[]): OpenCall[] => {
  if (open.some(({ begun }) => begun)) return []
  return open.some(({ effect }) => effect) ? open.slice(0, 1) : [...open]
}

const isWaitedFor = ({ open }: AgentRunContext, { n }: ToolAnswer): boolean =>
  open.some((call) => call.n === n && call.begun)

/** An agent at work for one evaluation: it thinks, calls tools, and ends with an answer or with what it would have done. */
export const agentRun = setup({
  types: {} as { context: AgentRunContext; input: AgentRunInput; events: AgentRunEvent },
  actors: {
    think: chair<ThinkWork, Thought>(),
    compact: chair<CompactWork, { tokens: number; size: number }>(),
  },
  delays: { wallClock: 10 * minute },
  guards: {
    mustStop: ({ context }) => context.stopped !== null,
    isCrowded: ({ context }) => context.size > context.limits.size,
    /** After the last step nothing is called any more, whatever a model asks for. */
    callsTools: ({ context }, { calls }: Thought) => calls.length > 0 && context.steps + 1 < context.limits.steps,
    hasBeenAnswered: ({ context }, { asked }: Thought) => asked && context.steps + 1 < context.limits.steps,
    proposes: ({ context }, { proposed, plan }: Thought) =>
      context.proposed.length > 0 || proposed.length > 0 || plan !== null,
    saysNothing: ({ context }, { text }: Thought) => text === '' && context.done.length === 0,
    onlyFailed: ({ context }) => context.effectFailed !== null,
    isUnknown: ({ context }, answer: ToolAnswer) => isWaitedFor(context, answer) && answer.outcome === 'unknown',
    isLast: ({ context }, answer: ToolAnswer) =>
      isWaitedFor(context, answer) && context.open.every(({ n }) => n === answer.n),
    isWaitedFor: ({ context }, answer: ToolAnswer) => isWaitedFor(context, answer),
  },
  actions: {
    /** Seat: has the next calls made. */
    callTools: (_, _params: AgentRunContext) => {},
    /** Seat: calls back what is being called. */
    cancelCalls: (_, _params: AgentRunContext) => {},
    noteVisit: assign({ visit: ({ context }) => context.visit + 1 }),
    noteThought: assign(({ context }, { text, calls, proposed, plan, tokens, size }: Thought) => ({
      steps: context.steps + 1,
      tokens: context.tokens + tokens,
      size,
      text,
      plan,
      open: context.steps + 1 < context.limits.steps ? calls : [],
      proposed: [...context.proposed, ...proposed],
    })),
    noteBegun: assign({
      open: ({ context }) => {
        const begins = new Set(nextCalls(context.open).map(({ n }) => n))
        return context.open.map((call) => (begins.has(call.n) ? { ...call, begun: true } : call))
      },
    }),
    noteAnswer: assign(({ context }, answer: ToolAnswer) => {
      const { n, effect, outcome, brief, tokens } = answer
      const done = effect && outcome === 'done' ? [...context.done, brief] : context.done
      return {
        open: context.open.filter((call) => call.n !== n),
        size: context.size + tokens,
        // Whatever a tool brings in is content that nobody has vouched for.
        tainted: context.tainted || outcome === 'done',
        done,
        effectFailed: done.length > 0 ? null : effect && outcome === 'failed' ? brief : context.effectFailed,
      }
    }),
    noteUnsure: assign((_, { call }: ToolAnswer) => ({ unsure: call })),
    noteCompacted: assign(({ context }, { tokens, size }: { tokens: number; size: number }) => ({
      tokens: context.tokens + tokens,
      size,
    })),
    noteStopped: assign(({ context }, { failure }: { failure: typeof outOfTime | AgentRunContext['stopped'] }) => ({
      stopped: context.stopped ?? failure,
    })),
    giveStopAsFailure: assign({ failure: ({ context }) => context.stopped }),
    noteFailure: assign((_, { failure }: { failure: AgentRunContext['failure'] }) => ({ failure })),
  },
}).createMachine({
  id: 'agentRun',
  context: ({ input }) => ({
    ...input,
    visit: 0,
    steps: 0,
    tokens: 0,
    size: 0,
    open: [],
    done: [],
    effectFailed: null,
    text: null,
    proposed: [],
    plan: null,
    unsure: null,
    failure: null,
    stopped: null,
  }),
  initial: 'thinking',
  after: { wallClock: { actions: { type: 'noteStopped', params: { failure: outOfTime } } } },
  on: {
    cancel: '.cancelled',
    stop: {
      actions: {
        type: 'noteStopped',
        params: ({ event }) => ({ failure: { code: 'agent/stopped', message: event.reason } }),
      },
    },
  },
  states: {
    deciding: {
      always: [
        { guard: 'mustStop', target: 'failed', actions: 'giveStopAsFailure' },
        { guard: 'isCrowded', target: 'compacting' },
        { target: 'thinking' },
      ],
    },
    thinking: {
      entry: 'noteVisit',
      always: { guard: 'mustStop', target: 'failed', actions: 'giveStopAsFailure' },
      invoke: {
        id: 'think',
        src: 'think',
        input: ({ context }) => ({
          visit: context.visit,
          run: context.id,
          last: context.steps + 1 >= context.limits.steps || context.tokens >= context.limits.tokens,
        }),
        onDone: [
          {
            guard: { type: 'callsTools', params: ({ event }) => event.output },
            target: 'callingTools',
            actions: { type: 'noteThought', params: ({ event }) => event.output },
          },
          {
            guard: { type: 'hasBeenAnswered', params: ({ event }) => event.output },
            target: 'deciding',
            actions: { type: 'noteThought', params: ({ event }) => event.output },
          },
          {
            guard: { type: 'proposes', params: ({ event }) => event.output },
            target: 'proposing',
            actions: { type: 'noteThought', params: ({ event }) => event.output },
          },
          {
            guard: 'onlyFailed',
            target: 'failed',
            actions: [
              { type: 'noteThought', params: ({ event }) => event.output },
              {
                type: 'noteFailure',
                params: ({ context }) => ({
                  failure: { code: 'agent/effect-failed', message: context.effectFailed ?? '' },
                }),
              },
            ],
          },
          {
            guard: { type: 'saysNothing', params: ({ event }) => event.output },
            target: 'failed',
            actions: [
              { type: 'noteThought', params: ({ event }) => event.output },
              {
                type: 'noteFailure',
                params: { failure: { code: 'agent/no-answer', message: 'The agent ended without an answer.' } },
              },
            ],
          },
          { target: 'answered', actions: { type: 'noteThought', params: ({ event }) => event.output } },
        ],
        onError: {
          target: 'failed',
          actions: { type: 'noteFailure', params: ({ event }) => ({ failure: failed(event.error) }) },
        },
      },
    },
    callingTools: {
      entry: [{ type: 'callTools', params: ({ context }) => context }, 'noteBegun'],
      on: {
        toolResult: [
          {
            guard: { type: 'isUnknown', params: ({ event }) => event },
            target: 'unknown',
            actions: [
              { type: 'noteAnswer', params: ({ event }) => event },
              { type: 'noteUnsure', params: ({ event }) => event },
            ],
          },
          {
            guard: { type: 'isLast', params: ({ event }) => event },
            target: 'deciding',
            actions: { type: 'noteAnswer', params: ({ event }) => event },
          },
          {
            guard: { type: 'isWaitedFor', params: ({ event }) => event },
            actions: [
              { type: 'noteAnswer', params: ({ event }) => event },
              { type: 'callTools', params: ({ context }) => context },
              'noteBegun',
            ],
          },
        ],
      },
    },
    compacting: {
      entry: 'noteVisit',
      always: { guard: 'mustStop', target: 'failed', actions: 'giveStopAsFailure' },
      invoke: {
        id: 'compact',
        src: 'compact',
        input: ({ context }) => ({ visit: context.visit, run: context.id }),
        onDone: { target: 'thinking', actions: { type: 'noteCompacted', params: ({ event }) => event.output } },
        onError: {
          target: 'failed',
          actions: { type: 'noteFailure', params: ({ event }) => ({ failure: failed(event.error) }) },
        },
      },
    },
    answered: { type: 'final' },
    proposing: { type: 'final' },
    /** An effect was interrupted; whether it happened only the user can say. */
    unknown: { type: 'final' },
    failed: { type: 'final' },
    cancelled: { type: 'final', entry: { type: 'cancelCalls', params: ({ context }) => context } },
  },
})
