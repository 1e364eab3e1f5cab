import { and, assign, createMachine, not, setup } from 'xstate'

/** A small chart with one of everything a drawing has to cope with; none of its parts do anything. */
export const sample = setup({
  types: {
    events: {} as { type: 'approve' | 'respond' | 'note' | 'cancel' | 'supersede' | 'again' | 'retry' },
    context: {} as { tries: number },
  },
  actors: {
    judge: setup({}).createMachine({}),
    execute: setup({}).createMachine({}),
    analyse: setup({}).createMachine({}),
  },
  guards: {
    isAct: () => true,
    isSkip: () => true,
    isExpired: () => false,
    digestMatches: () => true,
    mayStop: () => true,
  },
  actions: { tell: () => {}, showCard: () => {}, withdrawCard: () => {}, noteTry: assign({ tries: 1 }) },
  delays: { patience: 60_000 },
}).createMachine({
  id: 'evaluation',
  initial: 'inProgress',
  context: { tries: 0 },
  on: {
    cancel: { guard: 'mayStop', target: '.cancelled', actions: 'tell' },
    note: { actions: 'noteTry' },
  },
  states: {
    inProgress: {
      initial: 'judging',
      on: { supersede: 'superseded', again: '.judging' },
      onDone: 'acted',
      states: {
        judging: {
          invoke: {
            src: 'judge',
            onDone: [
              { guard: 'isSkip', target: '#evaluation.skipped' },
              { guard: 'isAct', target: 'executing', actions: 'noteTry' },
              { target: 'analysing', actions: assign({ tries: ({ context }) => context.tries + 1 }) },
            ],
            onError: '#evaluation.failed',
          },
          after: { 90000: '#evaluation.failed' },
        },
        executing: {
          invoke: { src: 'execute', onDone: 'carriedOut', onError: '#evaluation.failed' },
          on: { retry: { target: '#evaluation.inProgress', reenter: true } },
        },
        analysing: {
          invoke: { src: 'analyse', onDone: '#evaluation.awaitingApproval', onError: '#evaluation.failed' },
          on: { again: { target: 'analysing', reenter: true } },
        },
        carriedOut: { type: 'final' },
      },
    },
    awaitingApproval: {
      entry: [{ type: 'showCard' }, assign({ tries: 0 })],
      exit: 'withdrawCard',
      tags: ['waiting'],
      on: {
        approve: {
          guard: and(['digestMatches', not('isExpired')]),
          target: 'inProgress.executing',
          actions: ['tell', 'noteTry'],
        },
        respond: 'inProgress',
      },
      after: { patience: 'dismissed' },
    },
    acted: { type: 'final' },
    skipped: { type: 'final' },
    dismissed: { type: 'final' },
    failed: { type: 'final' },
    cancelled: { type: 'final' },
    superseded: { type: 'final' },
  },
})

/** Regions, histories, and names that mean something in the languages that drawings are written in. */
export const awkward = createMachine({
  id: 'awkward <&> "chart"',
  type: 'parallel',
  on: { stop: { actions: 'ring' } },
  states: {
    left: {
      initial: 'one',
      states: {
        one: { on: { next: 'two', 'x: <b>{y}</b>; # %% --> end note "z"': 'two', 'direction TB': 'two' } },
        two: { on: { back: 'remembered' } },
        remembered: { type: 'history', history: 'deep' },
      },
    },
    right: {
      initial: 'on',
      onDone: { actions: 'ring' },
      states: {
        on: {
          type: 'parallel',
          onDone: 'end',
          states: {
            a: { initial: 'start', states: { start: { on: { z: 'end' } }, end: { type: 'final' } } },
            b: { initial: 'start', states: { start: { on: { z: 'end' } }, end: { type: 'final' } } },
          },
        },
        end: { type: 'final' },
      },
    },
    'default: {"x"}': {},
    'default: {"y"}': {},
  },
})

/** A machine that is one state. */
export const leaf = createMachine({ id: 'leaf', on: { go: { actions: 'run' } } })
