import { evaluationSetup, failed, stepOf } from './evaluation-setup.ts'

/** One task in one tick: judged, then rests, acts, or waits for the user, however long. */
export const evaluation = evaluationSetup.createMachine({
  id: 'evaluation',
  context: ({ input }) => ({
    id: input.id,
    task: input.task,
    world: input.world,
    instance: input.instance,
    tick: input.tick,
    batch: input.batch,
    from: input.from,
    through: input.through,
    intent: input.intent,
    retryOf: input.retryOf,
    tainted: input.tainted,
    visit: 0,
    decision: null,
    needs: null,
    reason: null,
    text: null,
    sources: [],
    call: null,
    question: null,
    nextCall: 0,
    response: null,
    plan: null,
    begun: false,
    outcome: null,
    dismissal: null,
    answer: null,
    failure: null,
    counts: false,
    released: false,
  }),
  initial: 'inProgress',
  on: {
    cancel: {
      target: '.cancelled',
      actions: { type: 'noteReason', params: ({ event }) => ({ reason: event.reason }) },
    },
  },
  states: {
    inProgress: {
      initial: 'judging',
      states: {
        judging: {
          on: {
            verdict: [
              {
                guard: { type: 'isSkip', params: ({ event }) => event.verdict },
                target: '#evaluation.skipped',
                actions: { type: 'noteVerdict', params: ({ event }) => event },
              },
              {
                guard: { type: 'hasResult', params: ({ event }) => event.verdict },
                target: '#evaluation.acted',
                actions: { type: 'noteVerdict', params: ({ event }) => event },
              },
              {
                guard: { type: 'isEscalation', params: ({ event }) => event.verdict },
                target: 'analysing',
                actions: { type: 'noteVerdict', params: ({ event }) => event },
              },
              { target: 'executing', actions: { type: 'noteVerdict', params: ({ event }) => event } },
            ],
            judgingFailed: {
              target: '#evaluation.failed',
              actions: { type: 'noteFailure', params: ({ event }) => event },
            },
            /** One that was made to ask the user has nothing to be judged. */
            ask: {
              target: '#evaluation.awaitingApproval',
              actions: { type: 'noteAsked', params: ({ event }) => event },
            },
            supersede: '#evaluation.superseded',
          },
        },
        executing: {
          entry: 'noteVisit',
          invoke: {
            id: 'execute',
            src: 'execute',
            input: ({ context }) => stepOf(context),
            onDone: {
              target: '#evaluation.weighed',
              actions: { type: 'noteOutcome', params: ({ event }) => event.output },
            },
            onError: {
              target: '#evaluation.failed',
              actions: { type: 'noteFailure', params: ({ event }) => ({ failure: failed(event.error), counts: true }) },
            },
          },
          on: {
            effectBegun: { actions: ['noteBegun', { type: 'releaseTick', params: ({ context }) => context }] },
            supersede: { guard: 'nothingHasBegun', target: '#evaluation.superseded' },
            /** What has begun may have happened: the log must not call it cancelled. */
            cancel: {
              guard: 'somethingHasBegun',
              actions: { type: 'stopAgent', params: ({ event }) => event },
            },
          },
        },
        analysing: {
          entry: 'noteVisit',
          invoke: {
            id: 'analyse',
            src: 'analyse',
            input: ({ context }) => stepOf(context),
            onDone: {
              target: '#evaluation.weighed',
              actions: { type: 'noteOutcome', params: ({ event }) => event.output },
            },
            onError: {
              target: '#evaluation.failed',
              actions: { type: 'noteFailure', params: ({ event }) => ({ failure: failed(event.error), counts: true }) },
            },
          },
          on: {
            effectBegun: { actions: ['noteBegun', { type: 'releaseTick', params: ({ context }) => context }] },
            supersede: { guard: 'nothingHasBegun', target: '#evaluation.superseded' },
            /** What has begun may have happened: the log must not call it cancelled. */
            cancel: {
              guard: 'somethingHasBegun',
              actions: { type: 'stopAgent', params: ({ event }) => event },
            },
          },
        },
        carryingOut: {
          /** What has begun may have happened: the log must not call it cancelled. */
          on: { cancel: {} },
          entry: 'noteVisit',
          invoke: {
            id: 'carryOut',
            src: 'carryOut',
            input: ({ context }) => ({
              visit: context.visit,
              evaluation: context.id,
              task: context.task,
              call: context.question?.proposal.calls[context.nextCall] ?? { tool: '', arguments: {} },
            }),
            onDone: [
              {
                guard: 'moreToDo',
                target: 'carryingOut',
                reenter: true,
                actions: ['nextCall', { type: 'noteCarriedOut', params: ({ event }) => event.output }],
              },
              {
                target: '#evaluation.acted',
                actions: { type: 'noteCarriedOut', params: ({ event }) => event.output },
              },
            ],
            onError: [
              {
                guard: { type: 'outcomeIsUnknown', params: ({ event }) => failed(event.error) },
                target: '#evaluation.awaitingApproval',
                actions: 'noteUnknown',
              },
              {
                target: '#evaluation.failed',
                actions: {
                  type: 'noteFailure',
                  params: ({ event }) => ({ failure: failed(event.error), counts: true }),
                },
              },
            ],
          },
        },
      },
    },
    awaitingApproval: {
      entry: [{ type: 'releaseTick', params: ({ context }) => context }, 'noteReleased', 'forgetAnswer'],
      after: {
        expiry: { target: 'dismissed', actions: { type: 'noteDismissal', params: { reason: 'expired' } } },
      },
      on: {
        approve: [
          {
            guard: { type: 'isPlanAsSeen', params: ({ event }) => event },
            target: 'inProgress.executing',
            actions: [{ type: 'noteAnswer', params: ({ event }) => event }, 'notePlan'],
          },
          {
            guard: { type: 'showsWhatWasSeen', params: ({ event }) => event },
            target: 'inProgress.carryingOut',
            actions: [
              { type: 'noteAnswer', params: ({ event }) => event },
              { type: 'noteCalls', params: ({ event }) => event },
            ],
          },
        ],
        dismiss: {
          target: 'dismissed',
          actions: [
            { type: 'noteAnswer', params: ({ event }) => event },
            { type: 'noteDismissal', params: ({ event }) => event },
          ],
        },
        respond: {
          guard: 'mayBeReconsidered',
          target: 'inProgress.analysing',
          actions: [
            { type: 'noteAnswer', params: ({ event }) => event },
            { type: 'noteResponse', params: ({ event }) => event },
          ],
        },
        replace: 'superseded',
        checked: [
          {
            guard: { type: 'turnedOutToHaveHappened', params: ({ event }) => event.happened },
            target: 'confirmed',
            actions: { type: 'noteAnswer', params: ({ event }) => event },
          },
          {
            guard: 'asksWhetherItHappened',
            target: 'awaitingApproval',
            reenter: true,
            actions: [{ type: 'noteAnswer', params: ({ event }) => event }, 'noteNotHappened'],
          },
        ],
      },
    },
    /** What the work came to decides where it goes. */
    weighed: {
      always: [
        { guard: 'isResult', target: 'acted' },
        { guard: 'isCovered', target: 'inProgress.carryingOut' },
        { guard: 'isNewQuestion', target: 'awaitingApproval' },
        { target: 'skipped' },
      ],
    },
    /** It turned out that the interrupted call had happened. */
    confirmed: {
      always: [{ guard: 'moreToDo', target: 'inProgress.carryingOut', actions: 'nextCall' }, { target: 'acted' }],
    },
    acted: { type: 'final', entry: { type: 'releaseTick', params: ({ context }) => context } },
    skipped: { type: 'final', entry: { type: 'releaseTick', params: ({ context }) => context } },
    dismissed: { type: 'final', entry: { type: 'releaseTick', params: ({ context }) => context } },
    failed: { type: 'final', entry: { type: 'releaseTick', params: ({ context }) => context } },
    cancelled: { type: 'final', entry: { type: 'releaseTick', params: ({ context }) => context } },
    superseded: { type: 'final', entry: { type: 'releaseTick', params: ({ context }) => context } },
  },
})
