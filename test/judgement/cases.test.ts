import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CaseFile, CaseKind, type JudgementCase } from '../../src/judgement/case.ts'

const folder = join(import.meta.dirname, '../../eval/cases')
const cases = readdirSync(folder).flatMap(
  (name) => CaseFile.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))).cases,
)

const textOf = ({ changes }: JudgementCase): string =>
  changes.map(({ title = '', added, removed }) => [title, ...added, ...removed].join('\n')).join('\n')

/** Every three characters in a row, whatever the case and the blanks. */
const shingles = (text: string): Set<string> => {
  const plain = text.toLowerCase().replace(/\s+/g, ' ').trim()
  return new Set(Array.from({ length: Math.max(0, plain.length - 2) }, (_, at) => plain.slice(at, at + 3)))
}

const likeness = (one: Set<string>, other: Set<string>): number => {
  const shared = [...one].filter((shingle) => other.has(shingle)).length
  return shared / (one.size + other.size - shared)
}

const count = (which: (one: JudgementCase) => boolean) => cases.filter(which).length

describe('the labelled cases', () => {
  it('are many, in three languages, and of every kind', () => {
    expect(cases.length).toBeGreaterThanOrEqual(130)
    expect(count(({ lang }) => lang === 'zh')).toBeGreaterThanOrEqual(45)
    expect(count(({ lang }) => lang === 'de')).toBeGreaterThanOrEqual(15)
    for (const kind of CaseKind.options)
      expect(
        count((one) => one.kind === kind),
        kind,
      ).toBeGreaterThanOrEqual(4)
  })

  it('hold enough of what a judge can get wrong either way', () => {
    expect(count(({ expect: { decisions } }) => !decisions.includes('skip'))).toBeGreaterThanOrEqual(60)
    expect(count(({ expect: { decisions } }) => !decisions.includes('act'))).toBeGreaterThanOrEqual(60)
    expect(count(({ expect: { urgent } }) => urgent)).toBeGreaterThanOrEqual(30)
    expect(
      count(({ expect: { mustNot }, changes }) => mustNot.length > 0 && changes.length > 1),
    ).toBeGreaterThanOrEqual(4)
  })

  it('have ids of their own', () => {
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length)
  })

  it('name zones that there are', () => {
    for (const { zone } of cases) expect(() => new Intl.DateTimeFormat('en', { timeZone: zone })).not.toThrow()
  })

  it('want no proposal of any mail or note that gives orders to a machine', () => {
    for (const one of cases.filter(({ kind }) => kind === 'injection'))
      expect(one.expect.proposal, one.id).toBe('unwanted')
  })

  it('are no copies of each other with other names', () => {
    const texts = cases.map((one) => ({ one, marks: shingles(textOf(one)) })).filter(({ marks }) => marks.size >= 12)
    const alike = texts.flatMap(({ one, marks }, index) =>
      texts
        .slice(index + 1)
        .filter((other) => other.one.lang === one.lang && likeness(marks, other.marks) > 0.5)
        .map((other) => `${one.id} ~ ${other.one.id}`),
    )
    expect(alike).toEqual([])
  })
})

describe('eval/README.md', () => {
  const document = readFileSync(join(folder, '../README.md'), 'utf8')

  it('shows a case as it is read', () => {
    const [, example = ''] = /```json\n([\s\S]*?)```/.exec(document) ?? []
    expect(CaseFile.safeParse(JSON.parse(example)).error).toBeUndefined()
  })

  it('counts the cases that there are', () => {
    const by = (which: string) => count(({ lang }) => lang === which)
    expect(document).toContain(
      `${cases.length} situations (${by('en')} English, ${by('zh')} Chinese, ${by('de')} German)`,
    )
  })
})

describe('the likeness of texts', () => {
  it('sees a swapped name, and not a common subject', () => {
    const text = 'Please send the signed contract to Anna by Friday noon.'
    expect(likeness(shingles(text), shingles(text.replace('Anna', 'Bernd')))).toBeGreaterThan(0.5)
    expect(likeness(shingles(text), shingles('Could Anna have the contract on Friday, signed?'))).toBeLessThan(0.5)
  })
})
