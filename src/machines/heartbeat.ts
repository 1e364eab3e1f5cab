import { setup } from 'xstate'
import { minute } from '../domain/clock.ts'
import type { WorldId } from '../domain/ids.ts'
import type { AnswerEvent } from './instance-words.ts'

/** A request that a world tick now, whatever its cadence. */
export interface TriggerEvent {
  type: 'trigger'
  world: WorldId
  force: boolean
}

export type HeartbeatEvent =
  | { type: 'start' }
  | { type: 'stop' }
  /** Something that decides when the next beat is has changed: a setting, a schedule, the end of a tick. */
  | { type: 'reschedule' }
  | TriggerEvent
  | AnswerEvent

/** Says that time has passed: wakes when the earliest world is due, and is the way by which answers reach evaluations. */
export const heartbeat = setup({
  types: {} as { context: object; events: HeartbeatEvent },
  delays: {
    /** Seat: how long until the earliest world or task is due. */
    untilNextBeat: 5 * minute,
  },
  actions: {
    /** Seat: tells every instance that is due to tick. */
    tickDueInstances: () => {},
    /** Seat: tells one instance to tick. */
    triggerInstance: (_, _trigger: TriggerEvent) => {},
    /** Seat: hands an answer on to the instance whose evaluation it is for. */
    forwardAnswer: (_, _answer: AnswerEvent) => {},
  },
}).createMachine({
  id: 'heartbeat',
  context: {},
  initial: 'stopped',
  on: {
    trigger: { actions: { type: 'triggerInstance', params: ({ event }) => event } },
    approve: { actions: { type: 'forwardAnswer', params: ({ event }) => event } },
    dismiss: { actions: { type: 'forwardAnswer', params: ({ event }) => event } },
    respond: { actions: { type: 'forwardAnswer', params: ({ event }) => event } },
    checked: { actions: { type: 'forwardAnswer', params: ({ event }) => event } },
    cancelEvaluation: { actions: { type: 'forwardAnswer', params: ({ event }) => event } },
  },
  states: {
    stopped: {
      on: { start: 'beating' },
    },
    beating: {
      entry: 'tickDueInstances',
      always: 'sleeping',
    },
    sleeping: {
      after: { untilNextBeat: 'beating' },
      on: {
        reschedule: { target: 'sleeping', reenter: true },
        stop: 'stopped',
      },
    },
  },
})
