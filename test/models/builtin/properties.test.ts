import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Change } from '../../../src/domain/change.ts'
import { Analysis, Decision } from '../../../src/domain/decision.ts'
import { Provenance } from '../../../src/domain/escalation.ts'
import { change, edited, mail, now, quotesIn, report, still, task, withAgenda } from './situation.ts'

const titles = [
  'Look through new mail for urgent items',
  'Watch the project tracker for deadline changes',
  'Review new memory for actionable items',
  'Summarize what is new',
  '查看新邮件中的紧急事项',
  'Prüfe neue Termine',
]

const fragment = fc.constantFrom(
  'URGENT',
  'due',
  '2 April',
  '2026-04-03',
  'tomorrow',
  '紧急',
  '明天',
  '4月2日',
  'moved to',
  '(was 3 April)',
  'bis Freitag',
  'blocked',
  '?',
  '"',
  '" — other.md',
  '\u202e',
  '\u0007',
  '\n',
  '`',
  '<!--',
  '- [ ]',
  '#',
  '…',
  'AGENDA.md',
  'meeting',
  '😀',
  '\ud800',
)
const line = fc.oneof(
  fc.array(fragment, { maxLength: 8 }).map((parts) => parts.join(' ')),
  fc.string({ unit: 'binary', maxLength: 60 }),
)
const key = fc.oneof(
  fc.constantFrom('tracker.md', 'inbox/1.eml', 'AGENDA.md', 'HEARTBEAT.md'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
)
const anyChange: fc.Arbitrary<Change> = fc
  .record({
    key,
    added: fc.array(line, { maxLength: 6 }),
    removed: fc.array(line, { maxLength: 3 }),
    kind: fc.constantFrom('added' as const, 'modified' as const, 'removed' as const),
    itemKind: fc.constantFrom('file' as const, 'markdown' as const, 'mail' as const, 'health' as const),
    title: line,
    author: fc.option(line),
    time: fc.option(fc.oneof(fc.integer(), fc.constant(8.7e15), fc.constant(Number.NaN))),
    external: fc.boolean(),
  })
  .map(({ key: at, added, ...rest }) => change(at, added, rest))

const isFound = (changes: Change[], at: string, quote: string): boolean =>
  changes.some((one) => one.key === at && one.added.some((added) => added.includes(quote)))

describe('whatever it is given', () => {
  it('answers every task in the form that is read, and quotes only added lines, word for word', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyChange, { maxLength: 8 }),
        fc.option(line),
        fc.string({ maxLength: 40 }),
        async (changes, agenda, title) => {
          const tasks = [...titles, title].map((one) => task(one))
          const situation = report(tasks, changes)
          const answer = await withAgenda(agenda).judge({ report: situation }, still)
          const { evaluations } = JSON.parse(answer.text) as { evaluations: { task_id: string }[] }
          expect(evaluations.map(({ task_id }) => task_id)).toEqual(tasks.map(({ id }) => id))
          for (const item of evaluations) {
            const decision = Decision.parse(item)
            if (decision.decision === 'skip') continue
            for (const source of decision.sources) expect(isFound(changes, source.key, source.quote ?? '\0')).toBe(true)
            if (decision.decision !== 'act') continue
            expect(quotesIn(decision.text ?? '')).toEqual(decision.sources.map(({ quote }) => quote))
          }
        },
      ),
      { numRuns: 150 },
    )
  })

  it('proposes nothing but single lines for AGENDA.md, each a coming date and a quote of an added line', async () => {
    let proposals = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyChange, { minLength: 1, maxLength: 8 }),
        line,
        fc.nat(titles.length - 1),
        async (changes, agenda, which) => {
          const one = task(titles[which]!)
          const step = { task: one, report: report([one], changes), reason: '' }
          const { usage, ...analysis } = await withAgenda(agenda).analyse(step, still)
          expect(usage).toEqual({ promptTokens: 0, completionTokens: 0 })
          Analysis.parse(analysis)
          if (analysis.kind === 'result') return
          proposals += 1
          const { calls, provenance } = analysis.proposal
          expect(calls).toHaveLength(1)
          expect(calls[0]).toMatchObject({ tool: 'append_file', arguments: { path: 'AGENDA.md' } })
          const text = String(calls[0]!.arguments.text).replace(/^\n/, '')
          expect(text.split('\n')).toHaveLength(provenance.length + 1)
          for (const row of text.trimEnd().split('\n')) {
            const [, date, quote] = /^- (\d{4}-\d\d-\d\d): "(.*)"(?: …)? \(.*\)$/.exec(row) ?? []
            expect(Date.parse(date!)).toBeGreaterThan(now - 86_400_000)
            expect(changes.some(({ added }) => added.some((found) => found.includes(quote!)))).toBe(true)
          }
          for (const source of provenance)
            expect(isFound(changes, Provenance.parse(source).key, source.quote!)).toBe(true)
        },
      ),
      { numRuns: 150 },
    )
    expect(proposals).toBeGreaterThan(10)
  })
})

describe('the work it takes', () => {
  const hostile = [
    'URGENT due '.repeat(100_000),
    `URGENT due ${'2 days and '.repeat(90_000)}`,
    `紧急 ${'4月'.repeat(300_000)}`,
    `urgent ${'?'.repeat(1_000_000)}`,
    `urgent due ${'1-'.repeat(500_000)}`,
    `urgent due ${'april '.repeat(160_000)}`,
    `urgent ${'"'.repeat(1_000_000)} — x`,
    `- 2026-04-02: "${'" ('.repeat(300_000)}`,
  ]

  it('does not grow with the length of a line', async () => {
    const changes = hostile.flatMap((text, i) => [
      edited(`a${i}.md`, [text]),
      mail(`inbox/${i}.eml`, text, [text]),
      edited('AGENDA.md', [text]),
    ])
    const situation = report(
      titles.map((title) => task(title)),
      changes,
    )
    const start = performance.now()
    const answer = await withAgenda(hostile.join('\n')).judge({ report: situation }, still)
    expect(performance.now() - start).toBeLessThan(5000)
    const { evaluations } = JSON.parse(answer.text) as { evaluations: { text?: string }[] }
    for (const { text } of evaluations) expect(text?.length ?? 0).toBeLessThan(20_000)
  })

  it('is little for a thousand changes and a hundred tasks', async () => {
    const changes = Array.from({ length: 1000 }, (_, i) =>
      i % 2 === 0
        ? mail(`inbox/${i}.eml`, `${i % 4 === 0 ? 'URGENT: ' : ''}review ${i} moved to ${1 + (i % 28)} April`, [
            `The plan is to finish by ${1 + (i % 28)} April 2026. Could you look at it?`,
          ])
        : edited(`notes/${i}.md`, ['- Status: blocked. Due: 2026-04-15', 'A line that says little of anything.']),
    )
    const tasks = Array.from({ length: 100 }, (_, i) => task(`${titles[i % 4]}`, { id: task(`${i}`).id }))
    const start = performance.now()
    await withAgenda('# Agenda\n').judge({ report: report(tasks, changes) }, still)
    expect(performance.now() - start).toBeLessThan(5000)
  })

  it('lets other work of the process have its turn', async () => {
    const changes = Array.from({ length: 2000 }, (_, i) => mail(`inbox/${i}.eml`, `URGENT: matter ${i} due 3 April`))
    let turns = 0
    let working = true
    const count = () => {
      turns += 1
      if (working) setImmediate(count)
    }
    setImmediate(count)
    await withAgenda(null).judge({ report: report([task(titles[0]!)], changes) }, still)
    working = false
    expect(turns).toBeGreaterThan(50)
  })
})
