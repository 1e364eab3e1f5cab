import { assign, setup } from 'xstate'
import { minute, second } from '../domain/clock.ts'
import type { ToolCall } from '../domain/escalation.ts'
import type { EvaluationId, TickId, WorldId } from '../domain/ids.ts'
import type { Dismissal } from './evaluation-words.ts'
import type { TickEnd } from './tick-words.ts'

export interface InstanceInput {
  world: WorldId
  /** What a newer tick does to a running one. */
  overlap: 'supersede' | 'finish'
}

export interface InstanceContext extends InstanceInput {
  generation: number
  tick: TickId | null
  /** A tick asked for while one was running. */
  next: { force: boolean } | null
  /** How many ticks in a row were superseded; after two, one is left to finish. */
  superseded: number
  totalTicks: number
  consecutiveFailures: number
  lastTickAt: number | null
  lastEnd: TickEnd | null
  reason: string | null
}

/** Who answers, and the id of the answer: of two answers to one card, the card's row says which one counted. */
export interface Answering {
  evaluation: EvaluationId
  by: string
  answer: string
}

/** An answer of the user's, on its way to the evaluation it is for. */
export type AnswerEvent =
  | ({ type: 'approve'; digest: string; calls?: ToolCall[] } & Answering)
  | ({ type: 'dismiss'; reason: Dismissal } & Answering)
  | ({ type: 'respond'; text: string } & Answering)
  | ({ type: 'checked'; happened: boolean } & Answering)
  | ({ type: 'cancelEvaluation'; reason: string } & Answering)

export interface TickSettled {
  type: 'tickSettled'
  tick: TickId
  end: TickEnd
  reason: string | null
  at: number
}

export type InstanceEvent =
  | { type: 'tick' }
  | { type: 'trigger'; force: boolean }
  | { type: 'pause' }
  | { type: 'resume' }
  | { type: 'cancelTick'; reason: string }
  | { type: 'settingsChanged'; overlap: 'supersede' | 'finish' }
  | { type: 'stop' }
  | TickSettled
  | AnswerEvent

/** Runs one world: one tick at a time, a newer one taking the place of a running one, never so often that none ends. */
export const instance = setup({
  types: {} as { context: InstanceContext; input: InstanceInput; events: InstanceEvent },
  delays: { grace: 5 * second },
  guards: {
    isOfThisTick: ({ context }, settled: TickSettled) => settled.tick === context.tick,
    mayBeSuperseded: ({ context }) => context.overlap === 'supersede' && context.superseded < 2,
    tickIsWaiting: ({ context }) => context.next !== null,
    tickIsLeaving: ({ context }) => context.tick !== null,
  },
  actions: {
    /** Seat: spawns the tick of this generation. */
    startTick: (_, _params: InstanceContext) => {},
    /** Seat: asks the running tick to leave. */
    supersedeTick: (_, _params: { tick: TickId | null }) => {},
    cancelTick: (_, _params: { tick: TickId | null; reason: string }) => {},
    /** Seat: hands the answer on to its evaluation. */
    forwardAnswer: (_, _answer: AnswerEvent) => {},
    newGeneration: assign(({ context }) => ({
      generation: context.generation + 1,
      tick: tickIdOf(context.world, context.generation + 1),
    })),
    noteNext: assign(({ context }, { force }: { force: boolean }) => ({
      next: { force: force || (context.next?.force ?? false) },
    })),
    takeNext: assign({ next: null }),
    noteSettled: assign(({ context }, { end, reason, at }: TickSettled) => ({
      tick: null,
      lastEnd: end,
      reason,
      totalTicks: context.totalTicks + 1,
      superseded: end === 'superseded' ? context.superseded + 1 : end === 'cancelled' ? context.superseded : 0,
      ...(end === 'done' || end === 'quiet'
        ? { consecutiveFailures: 0, lastTickAt: after(context.lastTickAt, at) }
        : {}),
      ...(end === 'failed' || end === 'timedOut' ? { consecutiveFailures: context.consecutiveFailures + 1 } : {}),
    })),
    noteAbandoned: assign(({ context }) => ({ tick: null, superseded: context.superseded + 1 })),
    noteSettings: assign((_, { overlap }: { overlap: 'supersede' | 'finish' }) => ({ overlap })),
  },
}).createMachine({
  id: 'instance',
  context: ({ input }) => ({
    world: input.world,
    overlap: input.overlap,
    generation: 0,
    tick: null,
    next: null,
    superseded: 0,
    totalTicks: 0,
    consecutiveFailures: 0,
    lastTickAt: null,
    lastEnd: null,
    reason: null,
  }),
  initial: 'resting',
  on: {
    approve: { actions: { type: 'forwardAnswer', params: ({ event }) => event } },
    dismiss: { actions: { type: 'forwardAnswer', params: ({ event }) => event } },
    respond: { actions: { type: 'forwardAnswer', params: ({ event }) => event } },
    checked: { actions: { type: 'forwardAnswer', params: ({ event }) => event } },
    cancelEvaluation: { actions: { type: 'forwardAnswer', params: ({ event }) => event } },
    settingsChanged: { actions: { type: 'noteSettings', params: ({ event }) => event } },
  },
  states: {
    resting: {
      on: {
        tick: { target: 'ticking', actions: { type: 'noteNext', params: { force: false } } },
        trigger: { target: 'ticking', actions: { type: 'noteNext', params: ({ event }) => event } },
        pause: 'paused',
        stop: 'stopped',
      },
    },
    ticking: {
      entry: ['newGeneration', { type: 'startTick', params: ({ context }) => context }, 'takeNext'],
      on: {
        tick: [
          { guard: 'mayBeSuperseded', target: 'superseding', actions: { type: 'noteNext', params: { force: false } } },
          { actions: { type: 'noteNext', params: { force: false } } },
        ],
        trigger: [
          {
            guard: 'mayBeSuperseded',
            target: 'superseding',
            actions: { type: 'noteNext', params: ({ event }) => event },
          },
          { actions: { type: 'noteNext', params: ({ event }) => event } },
        ],
        tickSettled: {
          guard: { type: 'isOfThisTick', params: ({ event }) => event },
          target: 'settled',
          actions: { type: 'noteSettled', params: ({ event }) => event },
        },
        cancelTick: {
          actions: {
            type: 'cancelTick',
            params: ({ context, event }) => ({ tick: context.tick, reason: event.reason }),
          },
        },
        pause: {
          target: 'paused',
          actions: { type: 'cancelTick', params: ({ context }) => ({ tick: context.tick, reason: 'Paused' }) },
        },
        stop: {
          target: 'stopped',
          actions: { type: 'cancelTick', params: ({ context }) => ({ tick: context.tick, reason: 'Stopped' }) },
        },
      },
    },
    /** Waits for a tick that was told to leave, so that there are never two; after the grace it is left behind. */
    superseding: {
      entry: { type: 'supersedeTick', params: ({ context }) => ({ tick: context.tick }) },
      after: { grace: { target: 'settled', actions: 'noteAbandoned' } },
      on: {
        tick: { actions: { type: 'noteNext', params: { force: false } } },
        trigger: { actions: { type: 'noteNext', params: ({ event }) => event } },
        tickSettled: {
          guard: { type: 'isOfThisTick', params: ({ event }) => event },
          target: 'settled',
          actions: { type: 'noteSettled', params: ({ event }) => event },
        },
        pause: 'paused',
        stop: 'stopped',
      },
    },
    settled: {
      always: [{ guard: 'tickIsWaiting', target: 'ticking' }, { target: 'resting' }],
    },
    /** The user wants quiet: nothing ticks, answers are still handed on. */
    paused: {
      entry: 'takeNext',
      on: {
        resume: [{ guard: 'tickIsLeaving', target: 'superseding' }, { target: 'resting' }],
        stop: 'stopped',
        tickSettled: {
          guard: { type: 'isOfThisTick', params: ({ event }) => event },
          actions: { type: 'noteSettled', params: ({ event }) => event },
        },
      },
    },
    stopped: {
      entry: 'takeNext',
      on: {
        resume: [{ guard: 'tickIsLeaving', target: 'superseding' }, { target: 'resting' }],
        tickSettled: {
          guard: { type: 'isOfThisTick', params: ({ event }) => event },
          actions: { type: 'noteSettled', params: ({ event }) => event },
        },
      },
    },
  },
})

/** Two ticks within one moment are told apart; a clock that was set back is believed. */
const after = (last: number | null, at: number): number =>
  last !== null && at <= last && last - at < minute ? last + 1 : at

/** The id of a world's tick says which world and generation it is; a generation has one tick, so the id is also its lock. */
export const tickIdOf = (world: WorldId, generation: number): TickId => `tick_${world}_${generation}` as TickId
