import { assign, setup } from 'xstate'
import { second } from '../domain/clock.ts'
import type { TickId } from '../domain/ids.ts'
import {
  type AnswerEvent,
  haltAfter,
  halted,
  type InstanceContext,
  type InstanceEvent,
  type InstanceInput,
  laterThan,
  type TickSettled,
  tickIdOf,
} from './instance-words.ts'

/** Runs one world: one tick at a time, a newer one taking the place of a running one, never so often that none ends. */
export const instance = setup({
  types: {} as { context: InstanceContext; input: InstanceInput; events: InstanceEvent },
  delays: { grace: 5 * second },
  guards: {
    isOfThisTick: ({ context }, settled: TickSettled) => settled.tick === context.tick,
    mayBeSuperseded: ({ context }) => context.overlap === 'supersede' && context.superseded < 2,
    tickIsWaiting: ({ context }) => context.next !== null,
    tickIsLeaving: ({ context }) => context.tick !== null,
    isHalted: ({ context }) => context.halt !== null,
    isAnotherRoute: ({ context }, { signature }: { signature: string }) => context.halt?.signature !== signature,
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
    noteSettled: assign(({ context }, settled: TickSettled) => {
      const { end, reason, code, at, more } = settled
      const halt = haltAfter(context.halt, settled)
      // One that was turned away because of the halt says nothing that was not known.
      const failed = (end === 'failed' && code !== halted) || end === 'timedOut'
      return {
        tick: null,
        lastEnd: end,
        reason: halt?.reason ?? reason,
        halt,
        more,
        totalTicks: context.totalTicks + 1,
        superseded: end === 'superseded' ? context.superseded + 1 : end === 'cancelled' ? context.superseded : 0,
        ...(end === 'done' || end === 'quiet'
          ? { consecutiveFailures: 0, lastTickAt: laterThan(context.lastTickAt, at) }
          : {}),
        ...(failed ? { consecutiveFailures: context.consecutiveFailures + 1 } : {}),
      }
    }),
    noteAbandoned: assign(({ context }) => ({ tick: null, superseded: context.superseded + 1 })),
    liftHalt: assign(({ context }) =>
      context.halt === null ? {} : { halt: null, reason: null, consecutiveFailures: 0 },
    ),
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
    halt: null,
    more: false,
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
      always: [
        { guard: 'tickIsWaiting', target: 'ticking' },
        { guard: 'isHalted', target: 'halted' },
        { target: 'resting' },
      ],
    },
    /**
     * Its provider will not serve it, so no model is asked. A tick that is due, or asked for, ends at once with the reason,
     * unless the time has come to try again or somebody else is to be asked.
     */
    halted: {
      on: {
        tick: { target: 'ticking', actions: { type: 'noteNext', params: { force: false } } },
        trigger: { target: 'ticking', actions: { type: 'noteNext', params: ({ event }) => event } },
        resume: { target: 'resting', actions: 'liftHalt' },
        routeChanged: {
          guard: { type: 'isAnotherRoute', params: ({ event }) => event },
          target: 'resting',
          actions: 'liftHalt',
        },
        pause: 'paused',
        stop: 'stopped',
      },
    },
    /** The user wants quiet: nothing ticks, answers are still handed on. */
    paused: {
      entry: 'takeNext',
      on: {
        resume: [
          { guard: 'tickIsLeaving', target: 'superseding', actions: 'liftHalt' },
          { target: 'resting', actions: 'liftHalt' },
        ],
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
        resume: [
          { guard: 'tickIsLeaving', target: 'superseding' },
          { guard: 'isHalted', target: 'halted' },
          { target: 'resting' },
        ],
        tickSettled: {
          guard: { type: 'isOfThisTick', params: ({ event }) => event },
          actions: { type: 'noteSettled', params: ({ event }) => event },
        },
      },
    },
  },
})
