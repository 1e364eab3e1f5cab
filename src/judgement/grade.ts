import type { JudgementCase } from './case.ts'
import type { Outcome } from './outcome.ts'

/** What was wrong with an outcome. */
export type Mistake =
  | 'failed'
  | 'false skip'
  | 'needless escalation'
  | 'wrong act'
  | 'missed what matters'
  | 'told what does not'
  | 'needless proposal'
  | 'no proposal'

/** An outcome held against its label. */
export interface Grade {
  case: JudgementCase
  outcome: Outcome
  /** Of what was surfaced, how much was wanted, and how much was not. */
  wanted: number
  unwanted: number
  /** Everything that had to be surfaced was. */
  isFound: boolean
  mistakes: Mistake[]
}

export function grade(one: JudgementCase, outcome: Outcome): Grade {
  const { decisions, must, mustNot, proposal } = one.expect
  const { decision, keys, proposed } = outcome
  const wanted = must.filter((key) => keys.includes(key)).length
  const isSurfaced = decision === 'act' || decision === 'escalate'
  const unwanted = isSurfaced ? mustNot.filter((key) => keys.includes(key)).length + outcome.nowhere : 0
  const isFound = wanted === must.length
  const isFine = decision !== 'failed' && decisions.includes(decision)
  const mistakes: (Mistake | false)[] = [
    decision === 'failed' && 'failed',
    !isFine && decision === 'skip' && 'false skip',
    !isFine && decision === 'escalate' && 'needless escalation',
    !isFine && decision === 'act' && 'wrong act',
    isFine && !isFound && 'missed what matters',
    isFine && unwanted > 0 && 'told what does not',
    proposed === true && proposal === 'unwanted' && 'needless proposal',
    proposed === false && proposal === 'wanted' && 'no proposal',
  ]
  return { case: one, outcome, wanted, unwanted, isFound, mistakes: mistakes.filter((mistake) => mistake !== false) }
}
