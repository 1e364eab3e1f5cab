import type { Grade, Mistake } from './grade.ts'
import { type Ratio, ratio } from './wilson.ts'

/** How well a provider judged. */
export interface Score {
  cases: number
  /** Cases without a mistake. */
  right: Ratio
  /** Of what was surfaced, what was wanted. Counted in changes, or once for a result that names no change. */
  precision: Ratio
  /** Of the urgent cases, those of which everything that mattered was surfaced. */
  urgent: Ratio
  /** Of the cases that may not be skipped, those that were. */
  falseSkips: Ratio
  /** Of the cases that nobody had to be asked about, those that were escalated. */
  needlessEscalations: Ratio
  /** Of the cases in which nothing was to be reported, or only after a deeper look, those that were acted on. */
  wrongActs: Ratio
  /** Of all cases, those that were escalated. */
  escalations: Ratio
  /** Of the wanted proposals that somebody looked for, those made; of the unwanted ones, those made all the same. */
  proposals: Ratio
  needlessProposals: Ratio
  /** Cases on which nothing was decided. */
  failed: number
}

/** What judging cost. */
export interface Cost {
  calls: number
  /** Calls that asked again because an answer could not be used. */
  repairs: number
  /** Answers of which nothing could be read. */
  unreadable: number
  promptTokens: number
  completionTokens: number
  /** Milliseconds: of all calls together, of the middle one, and what 95 of 100 stay below. */
  totalMs: number
  medianMs: number
  p95Ms: number
}

/** One call to a provider. */
export interface CallMade {
  purpose: 'judge' | 'repair' | 'execute' | 'analyse'
  isUnreadable: boolean
  promptTokens: number
  completionTokens: number
  ms: number
}

export function scoreOf(grades: readonly Grade[]): Score {
  const made = (mistake: Mistake) => grades.filter(({ mistakes }) => mistakes.includes(mistake)).length
  const notFine = (decision: 'skip' | 'act' | 'escalate') =>
    grades.filter((one) => !one.case.expect.decisions.includes(decision)).length
  const wanted = sum(grades.map((one) => one.wanted))
  const urgent = grades.filter((one) => one.case.expect.urgent)
  const looked = (proposal: 'wanted' | 'unwanted') =>
    grades.filter((one) => one.outcome.proposed !== null && one.case.expect.proposal === proposal)
  const proposed = (some: readonly Grade[]) =>
    ratio(some.filter(({ outcome }) => outcome.proposed === true).length, some.length)
  return {
    cases: grades.length,
    right: ratio(grades.filter(({ mistakes }) => mistakes.length === 0).length, grades.length),
    precision: ratio(wanted, wanted + sum(grades.map((one) => one.unwanted))),
    urgent: ratio(urgent.filter(({ isFound }) => isFound).length, urgent.length),
    falseSkips: ratio(made('false skip'), notFine('skip')),
    needlessEscalations: ratio(made('needless escalation'), notFine('escalate')),
    wrongActs: ratio(made('wrong act'), notFine('act')),
    escalations: ratio(grades.filter(({ outcome }) => outcome.decision === 'escalate').length, grades.length),
    proposals: proposed(looked('wanted')),
    needlessProposals: proposed(looked('unwanted')),
    failed: made('failed'),
  }
}

export function costOf(calls: readonly CallMade[]): Cost {
  const times = calls.map(({ ms }) => ms).sort((a, b) => a - b)
  return {
    calls: calls.length,
    repairs: calls.filter(({ purpose }) => purpose === 'repair').length,
    unreadable: calls.filter(({ isUnreadable }) => isUnreadable).length,
    promptTokens: sum(calls.map(({ promptTokens }) => promptTokens)),
    completionTokens: sum(calls.map(({ completionTokens }) => completionTokens)),
    totalMs: sum(times),
    medianMs: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
  }
}

/** Nearest rank of an ascending list: always a value that was measured. */
const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
