import { JudgementCase } from '../../src/judgement/case.ts'

type Given = Partial<Omit<JudgementCase, 'changes' | 'expect'>> & {
  changes?: (Partial<JudgementCase['changes'][number]> & { key: string })[]
  expect?: Partial<JudgementCase['expect']>
}

let made = 0

/** A labelled case with everything that a test leaves out; by default one mail that the user has to hear of. */
export const labelled = (given: Given = {}): JudgementCase => {
  made += 1
  const { changes = [{ key: `inbox/${made}.eml` }], expect, ...rest } = given
  return JudgementCase.parse({
    id: `case-${made}`,
    kind: 'question',
    lang: 'en',
    now: '2026-04-01T18:00:00+02:00',
    zone: 'Europe/Berlin',
    task: { title: `Task ${made}` },
    ...rest,
    changes,
    expect: {
      decisions: ['act'],
      must: expect?.decisions?.includes('skip') ? [] : [changes[0]?.key],
      why: 'x',
      ...expect,
    },
  })
}

/** A case in which nothing may be surfaced. */
export const quiet = (given: Given = {}): JudgementCase => {
  made += 1
  const changes = given.changes ?? [{ key: `inbox/${made}.eml` }]
  const mustNot = changes.map(({ key }) => key)
  return labelled({ ...given, changes, expect: { decisions: ['skip'], mustNot, ...given.expect } })
}
