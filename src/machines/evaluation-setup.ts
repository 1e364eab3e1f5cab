import { assign, setup } from 'xstate'
import { day } from '../domain/clock.ts'
import type { Decision, Execution } from '../domain/decision.ts'
import type { Failure } from '../domain/errors.ts'
import type { ToolCall } from '../domain/escalation.ts'
import type { CallId, TickId } from '../domain/ids.ts'
import { chair } from './chair.ts'
import type {
  Answer,
  CarryOutInput,
  Dismissal,
  EvaluationContext,
  EvaluationEvent,
  EvaluationInput,
  JudgedAnalysis,
  Question,
  StepInput,
} from './evaluation-words.ts'

const isFailure = (error: unknown): error is Failure =>
  typeof error === 'object' && error !== null && 'code' in error && 'message' in error

/** An error as it arrives from a chair. */
export const failed = (error: unknown): Failure =>
  isFailure(error)
    ? { code: error.code, message: error.message }
    : { code: 'runtime/unexpected', message: String(error) }

/** True for the calls that were shown, arguments aside: an edit changes what a tool is handed, never which tool it is. */
export const isEditOf = (shown: readonly ToolCall[], edited: readonly ToolCall[] = shown): boolean =>
  shown.length > 0 && edited.length === shown.length && edited.every(({ tool }, index) => tool === shown[index]?.tool)

/** What the names in the evaluation's chart mean. */
export const evaluationSetup = setup({
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
    noteVerdict: assign(({ context }, event: { call: CallId; verdict: Decision; tainted: boolean }) => ({
      call: event.call,
      // Raised by what was seen, never lowered again.
      tainted: context.tainted || event.tainted,
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
})
