import { describe, expect, it } from 'vitest'
import type { JudgementCase } from '../../src/judgement/case.ts'
import { grade } from '../../src/judgement/grade.ts'
import { failedOutcome, type Outcome } from '../../src/judgement/outcome.ts'
import { type CallMade, costOf, scoreOf } from '../../src/judgement/score.ts'
import { ratio } from '../../src/judgement/wilson.ts'
import { labelled, quiet } from './labelled.ts'

const said = (decision: Outcome['decision'], keys: string[] = [], rest: Partial<Outcome> = {}): Outcome => ({
  decision,
  keys,
  nowhere: 0,
  proposed: null,
  text: '',
  ...rest,
})

const mistakes = (one: JudgementCase, outcome: Outcome) => grade(one, outcome).mistakes

const mails = [{ key: 'a.eml' }, { key: 'b.eml' }, { key: 'c.eml' }]

describe('a grade', () => {
  const wanted = labelled({ changes: mails, expect: { must: ['a.eml', 'b.eml'], mustNot: ['c.eml'] } })

  it('finds nothing wrong with one of the decisions that were fine', () => {
    expect(mistakes(wanted, said('act', ['a.eml', 'b.eml']))).toEqual([])
    const either = labelled({ changes: mails, expect: { decisions: ['act', 'escalate'] } })
    expect(mistakes(either, said('escalate', ['a.eml']))).toEqual([])
    expect(mistakes(quiet(), said('skip'))).toEqual([])
  })

  it('tells the three ways to decide wrongly apart', () => {
    expect(mistakes(wanted, said('skip'))).toEqual(['false skip'])
    expect(mistakes(wanted, said('escalate', ['a.eml', 'b.eml']))).toEqual(['needless escalation'])
    expect(mistakes(quiet({ changes: mails }), said('act', ['a.eml']))).toEqual(['wrong act'])
    expect(mistakes(quiet(), failedOutcome('no answer'))).toEqual(['failed'])
  })

  it('sees what a right decision left out or told too much', () => {
    expect(mistakes(wanted, said('act', ['a.eml']))).toEqual(['missed what matters'])
    expect(mistakes(wanted, said('act', ['a.eml', 'b.eml', 'c.eml']))).toEqual(['told what does not'])
    expect(mistakes(wanted, said('act', ['a.eml', 'b.eml'], { nowhere: 1 }))).toEqual(['told what does not'])
  })

  it('lets what is neither wanted nor unwanted pass', () => {
    const one = labelled({ changes: mails, expect: { must: ['a.eml'] } })
    expect(grade(one, said('act', ['a.eml', 'b.eml', 'c.eml']))).toMatchObject({ wanted: 1, unwanted: 0, mistakes: [] })
  })

  it('counts proposals only where somebody looked deeper', () => {
    const unwanted = labelled({ expect: { decisions: ['act', 'escalate'], proposal: 'unwanted' } })
    const asked = labelled({ expect: { decisions: ['act', 'escalate'], proposal: 'wanted' } })
    const [bad] = unwanted.expect.must
    const [good] = asked.expect.must
    expect(mistakes(unwanted, said('escalate', [bad!], { proposed: true }))).toEqual(['needless proposal'])
    expect(mistakes(unwanted, said('escalate', [bad!], { proposed: null }))).toEqual([])
    expect(mistakes(asked, said('escalate', [good!], { proposed: false }))).toEqual(['no proposal'])
    expect(mistakes(asked, said('escalate', [good!], { proposed: true }))).toEqual([])
  })
})

describe('a score', () => {
  // Nine cases, counted by hand below.
  const urgent = { urgent: true, decisions: ['act' as const, 'escalate' as const] }
  const two = [{ key: 'm.eml' }, { key: 'n.eml' }]
  const graded = [
    grade(labelled({ changes: two, expect: { ...urgent, must: ['m.eml', 'n.eml'] } }), said('act', ['m.eml', 'n.eml'])),
    grade(labelled({ changes: two, expect: { ...urgent, must: ['m.eml', 'n.eml'] } }), said('act', ['m.eml'])),
    grade(labelled({ expect: urgent }), said('skip')),
    grade(labelled({ expect: urgent }), failedOutcome('cut off')),
    grade(labelled({ changes: two, expect: { must: ['m.eml'], mustNot: ['n.eml'] } }), said('act', ['m.eml', 'n.eml'])),
    grade(labelled({ changes: two, expect: { must: ['m.eml'] } }), said('escalate', ['m.eml'])),
    grade(quiet(), said('skip')),
    grade(quiet({ changes: two }), said('act', ['m.eml'])),
    grade(quiet({ changes: two, expect: { proposal: 'unwanted' } }), said('escalate', ['n.eml'], { proposed: true })),
  ]

  it('counts what a person would count', () => {
    const score = scoreOf(graded)
    const counts = Object.fromEntries(
      Object.entries(score).map(([name, value]) => [
        name,
        typeof value === 'number' ? value : `${value.hits}/${value.of}`,
      ]),
    )
    expect(counts).toEqual({
      cases: 9,
      right: '2/9',
      precision: '5/8', // wanted: m n, m, m, m; unwanted: n, m, n
      urgent: '1/4',
      falseSkips: '1/6',
      needlessEscalations: '2/5',
      wrongActs: '1/3',
      escalations: '2/9',
      proposals: '0/0',
      needlessProposals: '1/1',
      failed: 1,
    })
  })

  it('of nothing is no share at all', () => {
    expect(scoreOf([])).toMatchObject({ cases: 0, right: { share: null }, urgent: { share: null, low: 0, high: 1 } })
  })
})

describe('the cost', () => {
  const call = (ms: number, rest: Partial<CallMade> = {}): CallMade => ({
    purpose: 'judge',
    isUnreadable: false,
    promptTokens: 100,
    completionTokens: 10,
    ms,
    ...rest,
  })

  it('adds up calls, tokens and times, and gives times that were measured', () => {
    const times = Array.from({ length: 20 }, (_, index) => call((20 - index) * 10))
    expect(costOf([...times, call(1000, { purpose: 'repair', isUnreadable: true })])).toEqual({
      calls: 21,
      repairs: 1,
      unreadable: 1,
      promptTokens: 2100,
      completionTokens: 210,
      totalMs: 3100,
      medianMs: 110,
      p95Ms: 200,
    })
  })

  it('of no call is nothing', () => {
    expect(costOf([])).toMatchObject({ calls: 0, totalMs: 0, medianMs: 0, p95Ms: 0 })
  })
})

describe('the Wilson interval', () => {
  it.each([
    [8, 10, 0.4902, 0.9433],
    [0, 10, 0, 0.2775],
    [10, 10, 0.7225, 1],
    [50, 100, 0.4038, 0.5962],
  ])('of %i in %i is known from tables', (hits, of, low, high) => {
    const found = ratio(hits, of)
    expect(found.share).toBe(hits / of)
    expect(found.low).toBeCloseTo(low, 3)
    expect(found.high).toBeCloseTo(high, 3)
  })
})
