import { assign, setup } from 'xstate'
import { minute } from '../domain/clock.ts'
import type { Failure } from '../domain/errors.ts'
import type { CallId } from '../domain/ids.ts'
import { chair } from './chair.ts'
import {
  type Answered,
  type BatchWork,
  type CommitWork,
  type DealWork,
  ended,
  type LeaveWork,
  type LookWork,
  type Observed,
  type Opened,
  type SeenWork,
  seenBy,
  type TickContext,
  type TickEnd,
  type TickEvent,
  type TickInput,
} from './tick-words.ts'

const asFailure = (error: unknown): Failure => error as Failure

/**
 * One pass of one world: looks at what changed and, where there is something to judge, has it judged or asks the profile's
 * own question.
 */
export const tick = setup({
  types: {} as { context: TickContext; input: TickInput; events: TickEvent },
  actors: {
    /** Looks whether the world's model can be asked at all, and then at the world. */
    observe: chair<LookWork, Observed>(),
    open: chair<SeenWork, Opened>(),
    ask: chair<SeenWork, Answered>(),
    judge: chair<BatchWork, { call: CallId; calls: number }>(),
    deal: chair<DealWork, { remaining: number }>(),
    withdraw: chair<LeaveWork, { remaining: number }>(),
    commit: chair<CommitWork, null>(),
  },
  delays: { wallClock: 30 * minute },
  guards: {
    nothingToJudge: (_, seen: Observed) => seen.toJudge === 0,
    asksItself: (_, { asks }: Opened) => asks,
    nothingOpened: (_, { batches }: Opened) => batches === 0,
    moreBatches: ({ context }) => context.batch + 1 < context.batches,
    noneRemain: (_, { remaining }: { remaining: number }) => remaining === 0,
    nothingWasJudged: ({ context }) => context.batches > 0 && context.batchesFailed === context.batches,
    isQuiet: ({ context }) => context.evaluations === 0 && !context.asked,
    wasSuperseded: ({ context }) => context.end === 'superseded',
    wasCancelled: ({ context }) => context.end === 'cancelled',
    ranOutOfTime: ({ context }) => context.end === 'timedOut',
  },
  actions: {
    /** Seat: tells the instance how the tick ended. */
    tellInstance: (_, _params: TickContext & { as: TickEnd }) => {},
    noteVisit: assign({ visit: ({ context }) => context.visit + 1 }),
    noteObserved: assign((_, seen: Observed) => ({
      token: seen.token,
      tainted: seen.tainted,
      callsAvoided: seen.callsAvoided,
      rendered: seen.rendered,
      more: seen.more,
    })),
    noteOpened: assign((_, { batches, evaluations }: Opened) => ({ batches, evaluations })),
    noteAnswered: assign(({ context }, { calls, answer, broken }: Answered) => ({
      asked: true,
      answer,
      failure: broken === null ? null : { code: 'model/contract-broken' as const, message: broken },
      modelCalls: context.modelCalls + calls,
    })),
    noteJudged: assign(({ context }, answer: { call: CallId; calls: number }) => ({
      judged: answer.call,
      failure: null,
      modelCalls: context.modelCalls + answer.calls,
    })),
    noteBatchFailed: assign(({ context }, { failure }: { failure: Failure }) => ({
      judged: null,
      failure,
      batchesFailed: context.batchesFailed + 1,
    })),
    nextBatch: assign({ batch: ({ context }) => context.batch + 1 }),
    noteFailure: assign((_, { failure }: { failure: Failure }) => ({ failure })),
    noteEnd: assign((_, { end, reason }: { end: TickEnd; reason?: string | undefined }) => ({
      end,
      ...(reason !== undefined && { failure: { code: 'tick/cancelled' as const, message: reason } }),
    })),
  },
}).createMachine({
  id: 'tick',
  context: ({ input }) => ({
    id: input.id,
    world: input.world,
    instance: input.instance,
    generation: input.generation,
    force: input.force,
    halt: input.halt,
    visit: 0,
    token: 0,
    tainted: false,
    rendered: '',
    more: false,
    asked: false,
    answer: null,
    batches: 0,
    batch: 0,
    evaluations: 0,
    judged: null,
    failure: null,
    batchesFailed: 0,
    modelCalls: 0,
    callsAvoided: 0,
    end: null,
  }),
  initial: 'working',
  states: {
    working: {
      initial: 'observing',
      on: {
        supersede: { target: 'leaving', actions: { type: 'noteEnd', params: { end: 'superseded' } } },
        cancel: {
          target: 'leaving',
          actions: { type: 'noteEnd', params: ({ event }) => ({ end: 'cancelled', reason: event.reason }) },
        },
      },
      after: {
        wallClock: {
          target: 'leaving',
          actions: {
            type: 'noteEnd',
            params: { end: 'timedOut', reason: 'The tick took longer than heartbeat.tick_timeout_minutes' },
          },
        },
      },
      states: {
        observing: {
          entry: 'noteVisit',
          invoke: {
            id: 'observe',
            src: 'observe',
            input: ({ context }) => ({ visit: context.visit, tick: context.id, halt: context.halt }),
            onDone: [
              {
                guard: { type: 'nothingToJudge', params: ({ event }) => event.output },
                target: 'committing',
                actions: { type: 'noteObserved', params: ({ event }) => event.output },
              },
              { target: 'preparing', actions: { type: 'noteObserved', params: ({ event }) => event.output } },
            ],
            onError: {
              target: '#tick.failed',
              actions: { type: 'noteFailure', params: ({ event }) => ({ failure: asFailure(event.error) }) },
            },
          },
        },
        /** Marks what is judged as in progress and shares it out into batches. */
        preparing: {
          entry: 'noteVisit',
          invoke: {
            id: 'open',
            src: 'open',
            input: seenBy,
            onDone: [
              { guard: { type: 'asksItself', params: ({ event }) => event.output }, target: 'asking' },
              { guard: { type: 'nothingOpened', params: ({ event }) => event.output }, target: 'committing' },
              { target: 'reflecting', actions: { type: 'noteOpened', params: ({ event }) => event.output } },
            ],
            onError: {
              target: '#tick.leaving',
              actions: [
                { type: 'noteFailure', params: ({ event }) => ({ failure: asFailure(event.error) }) },
                { type: 'noteEnd', params: { end: 'failed' } },
              ],
            },
          },
        },
        /** Asks without tools, and once more where the answer cannot be read; nothing has been opened that could be left. */
        asking: {
          entry: 'noteVisit',
          invoke: {
            id: 'ask',
            src: 'ask',
            input: seenBy,
            onDone: { target: 'committing', actions: { type: 'noteAnswered', params: ({ event }) => event.output } },
            onError: {
              target: '#tick.failed',
              actions: { type: 'noteFailure', params: ({ event }) => ({ failure: asFailure(event.error) }) },
            },
          },
        },
        reflecting: {
          initial: 'judging',
          states: {
            judging: {
              entry: 'noteVisit',
              invoke: {
                id: 'judge',
                src: 'judge',
                input: ({ context }) => ({ visit: context.visit, tick: context.id, batch: context.batch }),
                onDone: { target: 'dealing', actions: { type: 'noteJudged', params: ({ event }) => event.output } },
                onError: {
                  target: 'dealing',
                  actions: { type: 'noteBatchFailed', params: ({ event }) => ({ failure: asFailure(event.error) }) },
                },
              },
            },
            /** Hands each verdict to its evaluation; done again after a crash, when those already judged ignore it. */
            dealing: {
              entry: 'noteVisit',
              invoke: {
                id: 'deal',
                src: 'deal',
                input: ({ context }) => ({
                  visit: context.visit,
                  tick: context.id,
                  batch: context.batch,
                  call: context.judged,
                  failure: context.failure,
                }),
                onDone: [
                  { guard: 'moreBatches', target: 'judging', actions: 'nextBatch' },
                  { guard: { type: 'noneRemain', params: ({ event }) => event.output }, target: 'reflected' },
                  { target: 'settling' },
                ],
                onError: {
                  target: '#tick.leaving',
                  actions: [
                    { type: 'noteFailure', params: ({ event }) => ({ failure: asFailure(event.error) }) },
                    { type: 'noteEnd', params: { end: 'failed' } },
                  ],
                },
              },
            },
            settling: {
              on: {
                evaluationSettled: { guard: { type: 'noneRemain', params: ({ event }) => event }, target: 'reflected' },
              },
            },
            reflected: {
              always: [{ guard: 'nothingWasJudged', target: '#tick.failed' }, { target: '#tick.working.committing' }],
            },
          },
        },
        committing: {
          entry: 'noteVisit',
          invoke: {
            id: 'commit',
            src: 'commit',
            input: ({ context }) => ({
              visit: context.visit,
              tick: context.id,
              token: context.token,
              answer: context.answer,
            }),
            onDone: [{ guard: 'isQuiet', target: '#tick.quiet' }, { target: '#tick.done' }],
            onError: {
              target: '#tick.failed',
              actions: { type: 'noteFailure', params: ({ event }) => ({ failure: asFailure(event.error) }) },
            },
          },
        },
      },
    },
    /** Calls back the evaluations that are still open; what is finished, started or waiting stays. */
    leaving: {
      entry: 'noteVisit',
      invoke: {
        id: 'withdraw',
        src: 'withdraw',
        input: ({ context }) => ({ visit: context.visit, tick: context.id, end: context.end ?? 'failed' }),
        onDone: [
          { guard: 'wasSuperseded', target: 'superseded' },
          { guard: 'wasCancelled', target: 'cancelled' },
          { guard: 'ranOutOfTime', target: 'timedOut' },
          { target: 'failed' },
        ],
        onError: [
          { guard: 'wasSuperseded', target: 'superseded' },
          { guard: 'wasCancelled', target: 'cancelled' },
          { guard: 'ranOutOfTime', target: 'timedOut' },
          { target: 'failed' },
        ],
      },
    },
    quiet: { type: 'final', entry: { type: 'tellInstance', params: ended('quiet') } },
    done: { type: 'final', entry: { type: 'tellInstance', params: ended('done') } },
    failed: { type: 'final', entry: { type: 'tellInstance', params: ended('failed') } },
    superseded: { type: 'final', entry: { type: 'tellInstance', params: ended('superseded') } },
    cancelled: { type: 'final', entry: { type: 'tellInstance', params: ended('cancelled') } },
    timedOut: { type: 'final', entry: { type: 'tellInstance', params: ended('timedOut') } },
  },
})
