import { assign, setup } from 'xstate'
import { day } from '../domain/clock.ts'
import type { Decision } from '../domain/decision.ts'
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

/** The result that a verdict brings along; where something is to be done, words alone do not show that it was. */
const resultIn = ({ intent }: Pick<EvaluationContext, 'intent'>, verdict: Decision): string | null => {
  if (verdict.decision !== 'act' || (intent === 'write' && verdict.needs !== 'text')) return null
  return verdict.text ?? null
}

/** What is ordered of whoever works on the task. */
export const stepOf = ({ visit, id, needs, reason, response, plan }: EvaluationContext): StepInput => ({
  visit,
  evaluation: id,
  needs,
  reason: reason ?? '',
  response,
  plan,
})

/** What the names in the evaluation's chart mean. */
export const evaluationSetup = setup({
  types: {} as { context: EvaluationContext; input: EvaluationInput; events: EvaluationEvent },
  actors: {
    execute: chair<StepInput, JudgedAnalysis>(),
    analyse: chair<StepInput, JudgedAnalysis>(),
    carryOut: chair<CarryOutInput, { text: string }>(),
  },
  delays: { expiry: 14 * day },
  guards: {
    isSkip: (_, verdict: Decision) => verdict.decision === 'skip',
    hasResult: ({ context }, verdict: Decision) => resultIn(context, verdict) !== null,
    isEscalation: (_, verdict: Decision) => verdict.decision === 'escalate',
    isResult: ({ context }) => context.outcome === 'result',
    isCovered: ({ context }) => context.outcome === 'covered',
    isNewQuestion: ({ context }) => context.outcome === 'new',
    nothingHasBegun: ({ context }) => !context.begun,
    somethingHasBegun: ({ context }) => context.begun,
    isPlanAsSeen: ({ context }, { digest, calls = [] }: { digest: string; calls?: ToolCall[] }) =>
      context.question?.digest === digest &&
      calls.length === 0 &&
      context.question.kind === 'proposal' &&
      context.question.proposal.calls.length === 0,
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
      needs: event.verdict.decision === 'act' ? (event.verdict.needs ?? null) : null,
      reason: event.verdict.reason,
      text: resultIn(context, event.verdict),
      sources: event.verdict.decision === 'skip' ? [] : event.verdict.sources,
    })),
    noteOutcome: assign(({ context }, work: JudgedAnalysis) => {
      const tainted = context.tainted || work.tainted === true
      if (work.kind === 'result') return { outcome: 'result' as const, text: work.text, sources: work.sources, tainted }
      const outcome = work.standing
      if (outcome === 'alreadyOpen' || outcome === 'dismissedBefore') {
        const reason = outcome === 'alreadyOpen' ? 'Already waiting for your approval' : 'You skipped this before'
        return { outcome, reason, text: null, tainted }
      }
      const { question, proposal, text = proposal.title } = work
      return { outcome, question, text, sources: proposal.provenance, nextCall: 0, tainted }
    }),
    noteBegun: assign({ begun: true }),
    /** What is done next is another piece of work. */
    notePlan: assign({
      plan: ({ context }) => {
        const { title = '', summary = '' } = context.question?.proposal ?? {}
        return summary === '' || summary === title ? title : `${title}\n${summary}`
      },
    }),
    /** Seat: asks the agent to stop after what it is doing. */
    stopAgent: (_, _params: { reason: string }) => {},
    noteAsked: assign((_, { question }: { question: Question }) => ({
      question,
      text: question.proposal.title,
      sources: question.proposal.provenance,
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
