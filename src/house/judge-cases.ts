import type { Clock } from '../domain/clock.ts'
import type { Decision } from '../domain/decision.ts'
import { type Failure, Fault, failureOf } from '../domain/errors.ts'
import type { Provider, StepRequest } from '../domain/model.ts'
import type { JudgementCase } from '../judgement/case.ts'
import { type Grade, grade } from '../judgement/grade.ts'
import { type Followed, failedOutcome, type Outcome, outcomeOf } from '../judgement/outcome.ts'
import { type CallMade, type Cost, costOf, type Score, scoreOf } from '../judgement/score.ts'
import { type Situation, situationsOf } from '../judgement/situation.ts'
import { situationReport } from '../memory/report.ts'
import { type DecisionReading, noVerdicts } from '../models/decisions.ts'
import { counted } from './counted-provider.ts'
import { reportRoom } from './report-room.ts'
import { breathe } from './slices.ts'
import { askForVerdicts } from './verdicts.ts'

/** What a provider may read of the workspace of a case. */
export interface CaseWorkspace {
  agenda(): Promise<string | null>
}

export interface EvalOptions {
  cases: readonly JudgementCase[]
  /** How many cases are judged in one call, where they could be one user's moment. */
  batch: number
  /** Whether escalated cases are looked into, as they would be in a tick. */
  analyse: boolean
  /** Tokens a report may have. */
  budget: number
  clock: Clock
  provider(workspace: CaseWorkspace): Promise<Provider>
  /** Ends the run; what has been judged by then counts. */
  signal: AbortSignal
  onProgress?(judged: number, cases: number): void
}

export interface EvalResult {
  provider: string
  model: string
  /** How many cases there were to judge; `grades` has fewer when the run was ended. */
  cases: number
  /** Why it ended before all were judged; null when they were. */
  stopped: string | null
  total: Score
  kinds: { kind: string; score: Score }[]
  languages: { lang: string; score: Score }[]
  cost: Cost
  grades: Grade[]
}

/** Faults that every further call would end with as well. */
const lasting = new Set(
  [
    ...['unreachable', 'missing', 'key-refused', 'no-key', 'not-chosen', 'quota', 'no-tools'],
    ...['budget', 'budget-too-small', 'no-price'],
  ].map((what) => `model/${what}`),
)

/**
 * Has labelled cases judged as a tick would have them judged, one batch after the other, and holds what was said against
 * what a person would have said. Throws what the provider throws when nothing at all could be judged for it.
 */
export async function evaluate(options: EvalOptions): Promise<EvalResult> {
  const { cases, clock, signal } = options
  const calls: CallMade[] = []
  const grades: Grade[] = []
  let agenda: string | null = null
  let stopped: string | null = null
  const provider = counted(await options.provider({ agenda: async () => agenda }), clock, calls)
  for (const situation of situationsOf(cases, Math.min(options.batch, reportRoom(provider).tasks))) {
    if (signal.aborted) break
    agenda = situation.agenda
    try {
      const outcomes = await judgeSituation(situation, provider, options)
      grades.push(...situation.asked.map((asked, index) => grade(asked.case, outcomes[index]!)))
    } catch (error) {
      if (signal.aborted) break
      if (grades.length === 0) throw error
      stopped = failureOf(error).message
      break
    }
    options.onProgress?.(grades.length, cases.length)
    await breathe()
  }
  if (grades.length < cases.length) stopped ??= 'You stopped it.'
  return {
    provider: provider.id,
    model: provider.model,
    cases: cases.length,
    stopped,
    total: scoreOf(grades),
    kinds: grouped(grades, (one) => one.kind).map(([kind, its]) => ({ kind, score: scoreOf(its) })),
    languages: grouped(grades, (one) => one.lang).map(([lang, its]) => ({ lang, score: scoreOf(its) })),
    cost: costOf(calls),
    grades,
  }
}

async function judgeSituation(situation: Situation, provider: Provider, options: EvalOptions): Promise<Outcome[]> {
  const { asked, material } = situation
  const report = situationReport(material, Math.min(options.budget, reportRoom(provider).report(asked.length)))
  let reading: DecisionReading
  try {
    reading = (await askForVerdicts(provider, report, options.signal)).reading
  } catch (error) {
    return asked.map(() => failedOutcome(ofOneCall(error, options.signal).message))
  }
  const failures = noVerdicts(reading)
  const outcomes: Outcome[] = []
  for (const { task, case: one } of asked) {
    const decision = reading.decisions.get(task.id)
    if (decision === undefined) {
      outcomes.push(failedOutcome(failures.get(task.id)?.message ?? 'The report had no room for its task.'))
      continue
    }
    try {
      const followed = await follow({ task, report, reason: decision.reason }, decision, provider, options)
      outcomes.push(outcomeOf(one, report.changes, decision, followed))
    } catch (error) {
      outcomes.push(failedOutcome(ofOneCall(error, options.signal).message))
    }
  }
  return outcomes
}

/** Does what a tick would do next, as far as nothing is changed by it: work with tools is not begun. */
async function follow(
  step: StepRequest,
  decision: Decision,
  provider: Provider,
  { analyse, signal }: EvalOptions,
): Promise<Followed> {
  if (decision.decision === 'escalate' && analyse && step.task.intent === 'read')
    return { analysis: await provider.analyse(step, signal) }
  if (decision.decision !== 'act' || decision.text !== undefined) return {}
  const needs = decision.needs ?? (step.task.intent === 'write' ? 'tools' : 'text')
  return step.task.intent === 'write' && needs === 'tools' ? {} : { execution: await provider.execute(step, signal) }
}

/** What went wrong with one call; throws what would go wrong with all of them. */
function ofOneCall(error: unknown, signal: AbortSignal): Failure {
  if (signal.aborted || !(error instanceof Fault) || lasting.has(error.code)) throw error
  return failureOf(error)
}

/** Grades that share what `name` says of their cases, by that name. */
const grouped = (grades: readonly Grade[], name: (one: JudgementCase) => string): [string, Grade[]][] => {
  const groups = new Map<string, Grade[]>()
  for (const one of grades) groups.set(name(one.case), [...(groups.get(name(one.case)) ?? []), one])
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
}
