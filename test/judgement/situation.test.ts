import { describe, expect, it } from 'vitest'
import { CaseFile, type JudgementCase } from '../../src/judgement/case.ts'
import { situationsOf } from '../../src/judgement/situation.ts'
import { labelled, quiet } from './labelled.ts'

const titles = (cases: JudgementCase[], size: number) =>
  situationsOf(cases, size).map(({ asked }) => asked.map(({ task }) => task.title))

describe('a situation', () => {
  it('is what a source would have brought: a mail with its subject line, times before now, in order', () => {
    const [one] = situationsOf(
      [
        labelled({
          changes: [
            { key: 'in/1.eml', title: 'Rent', added: ['Due.'] },
            { key: 'a/b.md', added: ['- x'] },
          ],
        }),
      ],
      1,
    )
    const [mail, file] = [...one!.material.changes]
    expect(mail).toMatchObject({
      seq: 1,
      itemKind: 'mail',
      title: 'Rent',
      added: ['Subject: Rent', 'Due.'],
      external: true,
    })
    expect(file).toMatchObject({ seq: 2, itemKind: 'markdown', title: 'b.md', added: ['- x'], time: null })
    expect(mail!.at).toBeLessThan(file!.at)
    expect(file!.at).toBeLessThan(one!.material.now)
  })

  it('gives nothing of the label away', () => {
    const one = quiet({ id: 'injection-of-a-prize', surfaced: ['told'], expect: { why: 'It is a trap.' } })
    const { material } = situationsOf([one], 1)[0]!
    expect(JSON.stringify(material)).not.toMatch(/injection|trap|case-/)
  })

  it('holds cases of one moment together, up to the size', () => {
    const cases = ['A', 'B', 'C', 'D', 'E'].map((title) => labelled({ task: { title, intent: 'read' } }))
    expect(titles(cases, 2)).toEqual([['A', 'B'], ['C', 'D'], ['E']])
    expect(titles(cases, 1)).toHaveLength(5)
  })

  it('keeps apart what could not be one user’s moment', () => {
    const first = { task: { title: 'A', intent: 'read' as const }, changes: [{ key: 'one.md' }] }
    const apart: Parameters<typeof labelled>[0][] = [
      { lang: 'de' },
      { now: '2026-04-01T18:00:01+02:00' },
      { zone: 'UTC' },
      { goals: ['Save money'] },
      { agenda: '' },
      { changes: [{ key: 'one.md' }] },
      { task: { title: 'A', intent: 'write' } },
    ]
    for (const other of apart) {
      const second = { task: { title: 'B', intent: 'read' as const }, ...other }
      expect(situationsOf([labelled(first), labelled(second)], 8)).toHaveLength(2)
    }
    // The same instant written in another zone is no other moment.
    const same = labelled({ task: { title: 'B', intent: 'read' }, now: '2026-04-01T16:00:00+00:00' })
    expect(situationsOf([labelled(first), same], 8)).toHaveLength(1)
  })
})

describe('a case', () => {
  const reading = (expected: object, changes = [{ key: 'a.md' }]) =>
    CaseFile.safeParse({
      cases: [
        {
          id: 'x',
          kind: 'typo',
          lang: 'en',
          now: '2026-04-01T18:00:00Z',
          zone: 'UTC',
          task: { title: 'T' },
          changes,
          expect: { why: 'y', ...expected },
        },
      ],
    }).success

  it.each([
    ['names no key that is not there', { decisions: ['act'], must: ['b.md'] }],
    ['does not want and refuse the same', { decisions: ['act'], must: ['a.md'], mustNot: ['a.md'] }],
    ['wants nothing surfaced that may be skipped', { decisions: ['act', 'skip'], must: ['a.md'] }],
    ['wants something surfaced where nobody may skip', { decisions: ['act'] }],
    ['is not urgent and skippable', { decisions: ['skip'], urgent: true, mustNot: ['a.md'] }],
    ['says of every change of a skip that it stays unsaid', { decisions: ['skip'] }],
    ['has a decision at least', { decisions: [] }],
  ])('%s', (_, expected) => {
    expect(reading(expected)).toBe(false)
  })

  it('may leave open whether somebody would have told', () => {
    expect(reading({ decisions: ['act', 'skip'] })).toBe(true)
    expect(reading({ decisions: ['skip'], mustNot: ['a.md'] })).toBe(true)
    expect(reading({ decisions: ['act'], urgent: true, must: ['a.md'] })).toBe(true)
  })
})
