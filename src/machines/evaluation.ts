import { assign, setup } from 'xstate'
import { day } from '../domain/clock.ts'
import type { Analysis, Decision, Execution } from '../domain/decision.ts'
import type { Failure } from '../domain/errors.ts'
import type { CardKind, Proposal, Provenance, ToolCall } from '../domain/escalation.ts'
import type { ActorId, CallId, EvaluationId, TaskId, TickId, WorldId } from '../domain/ids.ts'
import type { Intent } from '../domain/task.ts'
import { chair, type Visit } from './chair.ts'

/** A proposal as the user is asked about it. An approval must name the digest of what was shown. */
export interface Question {
  kind: CardKind
  proposal: Proposal
  digest: string
  fingerprint: string
}

export interface EvaluationContext {
  id: EvaluationId
  task: TaskId
  world: WorldId
  instance: ActorId
  /** Null for one made outside a tick. */
  tick: TickId | null
  batch: number
  from: number
  through: number
  intent: Intent
  retryOf: EvaluationId | null
  tainted: boolean
  /** Raised each time work is ordered, so that a state entered again orders anew. */
  visit: number
  decision: Decision['decision'] | null
  reason: string | null
  text: string | null
  sources: Provenance[]
  call: CallId | null
  question: Question | null
  /** Which of the question's calls is carried out next. */
  nextCall: number
  response: string | null
  dismissal: Dismissal | null
  /** The answer that counted last. */
  answer: Answer | null
  failure: Failure | null
  /** True when a failure counts against the task; false when it was the whole tick's. */
  counts: boolean
  /** True once the tick has been told that it need not wait any longer. */
  released: boolean
}

export type Dismissal = 'user' | 'expired' | 'withdrawn'

export type EvaluationInput = Pick<
  EvaluationContext,
  'id' | 'task' | 'world' | 'instance' | 'tick' | 'batch' | 'from' | 'through' | 'intent' | 'retryOf' | 'tainted'
>

/**
 * How a proposal stands when it arrives, read from rows: `covered` when the task's own words asked for exactly these
 * calls, so that nobody need be asked.
 */
export type Standing = 'covered' | 'new' | 'alreadyOpen' | 'dismissedBefore'

export type JudgedAnalysis =
  | Extract<Analysis, { kind: 'result' }>
  | (Extract<Analysis, { kind: 'proposal' }> & { standing: Standing; question: Question })

/** Who answered, and which answer it was. */
export interface Answer {
  by: string
  answer: string
}

export type EvaluationEvent =
  | { type: 'verdict'; call: CallId; verdict: Decision; tainted: boolean }
  | { type: 'judgingFailed'; failure: Failure; counts: boolean }
  | { type: 'ask'; question: Question }
  | ({ type: 'approve'; digest: string; calls?: ToolCall[] } & Answer)
  | ({ type: 'dismiss'; reason: Dismissal } & Answer)
  | ({ type: 'respond'; text: string } & Answer)
  | ({ type: 'checked'; happened: boolean } & Answer)
  /** A newer card of the same task takes the place of this one. */
  | { type: 'replace' }
  | { type: 'cancel'; reason: string }
  | { type: 'supersede' }

export interface StepInput extends Visit {
  evaluation: EvaluationId
  reason: string
  response: string | null
}

export interface CarryOutInput extends Visit {
  evaluation: EvaluationId
  task: TaskId
  call: ToolCall
}

const isFailure = (error: unknown): error is Failure =>
  typeof error === 'object' && error !== null && 'code' in error && 'message' in error

const failed = (error: unknown): Failure =>
  isFailure(error)
    ? { code: error.code, message: error.message }
    : { code: 'runtime/unexpected', message: String(error) }

/** True for the calls that were shown, arguments aside: an edit changes what a tool is handed, never which tool it is. */
const isEditOf = (shown: readonly ToolCall[], edited: readonly ToolCall[] = shown): boolean =>
  shown.length > 0 &&
  edited.length === shown.length &&
  edited.every(({ tool }, index) => tool === shown[index]?.tool)

/** One task in one tick: judged, then rests, acts, or waits for the user, however long. */
export const evaluation = setup({
  types: {} as { context: EvaluationContext; input: EvaluationInput; events: EvaluationEvent },
  actors: {
    execute: chair<StepInput, Execution>(),
    analyse: chair<StepInput, JudgedAnalysis>(),
    carryOut: chair<CarryOutInput, { text: string }>(),
  },
  delays: { expiry: 14 * day },
  guards: {
    isSkip: (_, verdict: Decision) => verdict.decision === 'skip',
    hasResult: (_, verdict: Decision) => verdict.decision === 'act' && verdict.text !== undefined,
    isEscalation: (_, verdict: Decision) => verdict.decision === 'escalate',
    isCovered: (_, analysis: JudgedAnalysis) => analysis.kind === 'proposal' && analysis.standing === 'covered',
    isResult: (_, analysis: JudgedAnalysis) => analysis.kind === 'result',
    isNewQuestion: (_, analysis: JudgedAnalysis) => analysis.kind === 'proposal' && analysis.standing === 'new',
    showsWhatWasSeen: ({ context }, { digest, calls }: { digest: string; calls?: ToolCall[] }) =>
      context.question?.digest === digest && isEditOf(context.question.proposal.calls, calls),
    /** Once an effect has begun its question is whether it happened, and nothing else. */
    mayBeReconsidered: ({ context }) => context.question?.kind === 'proposal' && context.nextCall === 0,
    outcomeIsUnknown: (_, failure: Failure) => failure.code === 'effect/unknown-outcome',
    asksWhetherItHappened: ({ context }) => context.question?.kind === 'unknown',
    moreToDo: ({ context }) => context.nextCall + 1 < (context.question?.proposal.calls.length ?? 0),
    turnedOutToHaveHappened: ({ context }, happened: boolean) => context.question?.kind === 'unknown' && happened,
  },
  actions: {
    /** Seat: tells the tick that it need not wait for this evaluation, once. */
    releaseTick: (_, _params: { tick: TickId | null; released: boolean }) => {},
    noteReleased: assign({ released: true }),
    noteVisit: assign({ visit: ({ context }) => context.visit + 1 }),
    noteVerdict: assign((_, event: { call: CallId; verdict: Decision; tainted: boolean }) => ({
      call: event.call,
      tainted: event.tainted,
      decision: event.verdict.decision,
      reason: event.verdict.reason,
      text: event.verdict.decision === 'act' ? (event.verdict.text ?? null) : null,
      sources: event.verdict.decision === 'skip' ? [] : event.verdict.sources,
    })),
    noteText: assign((_, { text, sources }: Execution) => ({ text, sources })),
    noteResult: assign((_, analysis: JudgedAnalysis) =>
      analysis.kind === 'result' ? { text: analysis.text, sources: analysis.sources } : {},
    ),
    noteQuestion: assign((_, analysis: JudgedAnalysis) =>
      analysis.kind === 'proposal'
        ? {
            question: analysis.question,
            text: analysis.text ?? analysis.proposal.title,
            sources: analysis.proposal.provenance,
            nextCall: 0,
          }
        : {},
    ),
    noteAsked: assign((_, { question }: { question: Question }) => ({
      question,
      text: question.proposal.title,
      sources: question.proposal.provenance,
    })),
    noteStanding: assign((_, analysis: JudgedAnalysis) => ({
      reason:
        analysis.kind === 'proposal' && analysis.standing === 'alreadyOpen'
          ? 'Already waiting for your approval'
          : 'You skipped this before',
      text: null,
    })),
    noteUnknown: assign({
      question: ({ context }) =>
        context.question && {
          ...context.question,
          kind: 'unknown' as const,
          digest: `${context.question.fingerprint}:${context.visit}`,
        },
    }),
    noteNotHappened: assign({
      question: ({ context }) => context.question && { ...context.question, kind: 'proposal' as const },
    }),
    noteCalls: assign(({ context }, { calls }: { calls?: ToolCall[] | undefined }) => ({
      question:
        context.question && calls
          ? { ...context.question, proposal: { ...context.question.proposal, calls } }
          : context.question,
    })),
    noteCarriedOut: assign((_, result: { text: string }) => ({ text: result.text })),
    nextCall: assign({ nextCall: ({ context }) => context.nextCall + 1 }),
    noteFailure: assign((_, { failure, counts }: { failure: Failure; counts: boolean }) => ({ failure, counts })),
    noteDismissal: assign((_, { reason }: { reason: Dismissal }) => ({ dismissal: reason })),
    noteResponse: assign((_, { text }: { text: string }) => ({ response: text })),
    /** An earlier answer is none to the question that is put now. */
    forgetAnswer: assign({ answer: null }),
    noteAnswer: assign((_, { by, answer }: Answer) => ({ answer: { by, answer } })),
    noteReason: assign((_, { reason }: { reason: string }) => ({ reason })),
  },
}).createMachine({
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
    reason: null,
    text: null,
    sources: [],
    call: null,
    question: null,
    nextCall: 0,
    response: null,
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
            input: ({ context }) => ({
              visit: context.visit,
              evaluation: context.id,
              reason: context.reason ?? '',
              response: context.response,
            }),
            onDone: { target: '#evaluation.acted', actions: { type: 'noteText', params: ({ event }) => event.output } },
            onError: {
              target: '#evaluation.failed',
              actions: { type: 'noteFailure', params: ({ event }) => ({ failure: failed(event.error), counts: true }) },
            },
          },
          on: { supersede: '#evaluation.superseded' },
        },
        analysing: {
          entry: 'noteVisit',
          invoke: {
            id: 'analyse',
            src: 'analyse',
            input: ({ context }) => ({
              visit: context.visit,
              evaluation: context.id,
              reason: context.reason ?? '',
              response: context.response,
            }),
            onDone: [
              {
                guard: { type: 'isResult', params: ({ event }) => event.output },
                target: '#evaluation.acted',
                actions: { type: 'noteResult', params: ({ event }) => event.output },
              },
              {
                guard: { type: 'isCovered', params: ({ event }) => event.output },
                target: 'carryingOut',
                actions: { type: 'noteQuestion', params: ({ event }) => event.output },
              },
              {
                guard: { type: 'isNewQuestion', params: ({ event }) => event.output },
                target: '#evaluation.awaitingApproval',
                actions: { type: 'noteQuestion', params: ({ event }) => event.output },
              },
              {
                target: '#evaluation.skipped',
                actions: { type: 'noteStanding', params: ({ event }) => event.output },
              },
            ],
            onError: {
              target: '#evaluation.failed',
              actions: { type: 'noteFailure', params: ({ event }) => ({ failure: failed(event.error), counts: true }) },
            },
          },
          on: { supersede: '#evaluation.superseded' },
        },
        carryingOut: {
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
        approve: {
          guard: { type: 'showsWhatWasSeen', params: ({ event }) => event },
          target: 'inProgress.carryingOut',
          actions: [
            { type: 'noteAnswer', params: ({ event }) => event },
            { type: 'noteCalls', params: ({ event }) => event },
          ],
        },
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
