import { assign, setup } from 'xstate'
import type { Delivery } from '../domain/session.ts'
import { chair } from './chair.ts'
import { failed } from './evaluation-setup.ts'
import {
  type CycleWork,
  debounce,
  type LateStep,
  pauseAfter,
  type ReflexVerdict,
  type SessionContext,
  type SessionEvent,
  type SessionInput,
} from './session-words.ts'

const workOf = ({ context }: { context: SessionContext }): CycleWork => ({
  visit: context.visit,
  session: context.id,
  from: context.cursor,
  through: context.through,
})

/**
 * A session: it waits for messages, takes up those that have come together, and answers them. The cursor moves when the
 * answer has been handed over and at no other time; what failed is tried again from the step that failed.
 */
export const session = setup({
  types: {} as { context: SessionContext; input: SessionInput; events: SessionEvent },
  actors: {
    normalize: chair<CycleWork, null>(),
    reflex: chair<CycleWork, ReflexVerdict>(),
    brief: chair<CycleWork, null>(),
    execute: chair<CycleWork, { answered: boolean }>(),
    compress: chair<CycleWork, null>(),
    worldDiff: chair<CycleWork, null>(),
    compile: chair<CycleWork, null>(),
    deliver: chair<CycleWork, null>(),
    contextGuard: chair<CycleWork, null>(),
  },
  delays: {
    settle: debounce.settleMs,
    patience: debounce.patienceMs,
    pause: ({ context }) => pauseAfter(context.attempts),
  },
  guards: {
    isNews: ({ context }, { seq }: { seq: number }) => seq > context.cursor,
    /** The user is there and waits; others cannot hurry a session that has failed. */
    isOfUser: ({ context }) => context.kind === 'master',
    isUnanswered: ({ context }) => context.inbound > context.cursor,
    skipsReflex: ({ context }) => context.kind === 'master',
    isReply: (_, { kind }: ReflexVerdict) => kind === 'reply',
    hasAnswer: (_, { answered }: { answered: boolean }) => answered,
    resumes: ({ context }, { at }: { at: LateStep }) => context.resume === at,
    /** Before there is an answer a new message changes what is asked. */
    resumesWork: ({ context }) => context.resume === 'execute' && context.inbound === context.through,
    outcomeIsUnknown: (_, { code }: { code: string }) => code === 'effect/unknown-outcome',
  },
  actions: {
    noteMessage: assign(({ context }, { seq, at }: { seq: number; at: number }) => ({
      inbound: Math.max(context.inbound, seq),
      since: seq > context.through ? (context.since ?? at) : context.since,
    })),
    takeUp: assign({ through: ({ context }) => context.inbound, since: null, resume: null }),
    noteVisit: assign({ visit: ({ context }) => context.visit + 1 }),
    noteHandedOver: assign(({ context }, { delivery }: { delivery: Delivery }) => ({
      cursor: context.through,
      attempts: 0,
      resume: null,
      failure: null,
      delivery,
    })),
    noteFailure: assign(({ context }, { error, at }: { error: unknown; at: LateStep | null }) => ({
      attempts: context.attempts + 1,
      failure: failed(error),
      resume: at,
    })),
  },
}).createMachine({
  id: 'session',
  context: ({ input }) => ({
    ...input,
    through: input.cursor,
    visit: 0,
    attempts: 0,
    resume: null,
    failure: null,
    delivery: null,
  }),
  initial: 'resting',
  states: {
    /** Where it goes from depends on what is unanswered. */
    resting: {
      always: [{ guard: 'isUnanswered', target: 'debouncing' }, { target: 'idle' }],
    },
    idle: {
      on: {
        message: {
          guard: { type: 'isNews', params: ({ event }) => event },
          target: 'debouncing',
          actions: { type: 'noteMessage', params: ({ event }) => event },
        },
        wake: {
          guard: { type: 'isNews', params: ({ event }) => event },
          target: 'debouncing',
          actions: { type: 'noteMessage', params: ({ event }) => event },
        },
      },
    },
    debouncing: {
      initial: 'settling',
      after: { patience: 'rousing' },
      on: {
        message: { target: '.settling', actions: { type: 'noteMessage', params: ({ event }) => event } },
        wake: { target: '.settling', actions: { type: 'noteMessage', params: ({ event }) => event } },
      },
      states: { settling: { after: { settle: '#session.rousing' } } },
    },
    rousing: {
      always: [
        { guard: { type: 'resumes', params: { at: 'deliver' } }, target: 'waking.deliver' },
        { guard: { type: 'resumes', params: { at: 'compile' } }, target: 'waking.compile' },
        { guard: { type: 'resumes', params: { at: 'worldDiff' } }, target: 'waking.worldDiff' },
        { guard: { type: 'resumes', params: { at: 'compress' } }, target: 'waking.compress' },
        { guard: 'resumesWork', target: 'waking.execute' },
        { guard: 'isUnanswered', target: 'waking', actions: 'takeUp' },
        { target: 'idle' },
      ],
    },
    waking: {
      initial: 'normalize',
      on: {
        message: { actions: { type: 'noteMessage', params: ({ event }) => event } },
        wake: { actions: { type: 'noteMessage', params: ({ event }) => event } },
      },
      states: {
        normalize: {
          entry: 'noteVisit',
          invoke: {
            id: 'normalize',
            src: 'normalize',
            input: workOf,
            onDone: [{ guard: 'skipsReflex', target: 'brief' }, { target: 'reflex' }],
            onError: {
              target: '#session.retrying',
              actions: { type: 'noteFailure', params: ({ event }) => ({ error: event.error, at: null }) },
            },
          },
        },
        reflex: {
          entry: 'noteVisit',
          invoke: {
            id: 'reflex',
            src: 'reflex',
            input: workOf,
            onDone: [
              { guard: { type: 'isReply', params: ({ event }) => event.output }, target: 'deliver' },
              { target: 'brief' },
            ],
            onError: {
              target: '#session.retrying',
              actions: { type: 'noteFailure', params: ({ event }) => ({ error: event.error, at: null }) },
            },
          },
        },
        brief: {
          entry: 'noteVisit',
          invoke: {
            id: 'brief',
            src: 'brief',
            input: workOf,
            onDone: 'execute',
            onError: {
              target: '#session.retrying',
              actions: { type: 'noteFailure', params: ({ event }) => ({ error: event.error, at: null }) },
            },
          },
        },
        /** One round of the core's work, again and again until it has an answer. */
        execute: {
          entry: 'noteVisit',
          invoke: {
            id: 'execute',
            src: 'execute',
            input: workOf,
            onDone: [
              { guard: { type: 'hasAnswer', params: ({ event }) => event.output }, target: 'compress' },
              { target: 'execute', reenter: true },
            ],
            onError: {
              target: '#session.retrying',
              actions: { type: 'noteFailure', params: ({ event }) => ({ error: event.error, at: 'execute' }) },
            },
          },
        },
        compress: {
          entry: 'noteVisit',
          invoke: {
            id: 'compress',
            src: 'compress',
            input: workOf,
            onDone: 'worldDiff',
            onError: {
              target: '#session.retrying',
              actions: { type: 'noteFailure', params: ({ event }) => ({ error: event.error, at: 'compress' }) },
            },
          },
        },
        worldDiff: {
          entry: 'noteVisit',
          invoke: {
            id: 'worldDiff',
            src: 'worldDiff',
            input: workOf,
            onDone: 'compile',
            onError: {
              target: '#session.retrying',
              actions: { type: 'noteFailure', params: ({ event }) => ({ error: event.error, at: 'worldDiff' }) },
            },
          },
        },
        compile: {
          entry: 'noteVisit',
          invoke: {
            id: 'compile',
            src: 'compile',
            input: workOf,
            onDone: 'deliver',
            onError: {
              target: '#session.retrying',
              actions: { type: 'noteFailure', params: ({ event }) => ({ error: event.error, at: 'compile' }) },
            },
          },
        },
        deliver: {
          entry: 'noteVisit',
          invoke: {
            id: 'deliver',
            src: 'deliver',
            input: workOf,
            onDone: {
              target: 'contextGuard',
              actions: { type: 'noteHandedOver', params: { delivery: 'delivered' } },
            },
            onError: [
              {
                // It is shown, and not tried again: whoever is there may have it.
                guard: { type: 'outcomeIsUnknown', params: ({ event }) => failed(event.error) },
                target: 'contextGuard',
                actions: { type: 'noteHandedOver', params: { delivery: 'unknown' } },
              },
              {
                target: '#session.retrying',
                actions: { type: 'noteFailure', params: ({ event }) => ({ error: event.error, at: 'deliver' }) },
              },
            ],
          },
        },
        /** The answer is out: what goes wrong here is tried again after the next one. */
        contextGuard: {
          entry: 'noteVisit',
          invoke: {
            id: 'contextGuard',
            src: 'contextGuard',
            input: workOf,
            onDone: '#session.resting',
            onError: '#session.resting',
          },
        },
      },
    },
    retrying: {
      after: { pause: 'rousing' },
      on: {
        message: [
          {
            guard: 'isOfUser',
            target: 'debouncing',
            actions: { type: 'noteMessage', params: ({ event }) => event },
          },
          { actions: { type: 'noteMessage', params: ({ event }) => event } },
        ],
        wake: { target: 'rousing', actions: { type: 'noteMessage', params: ({ event }) => event } },
      },
    },
  },
})
