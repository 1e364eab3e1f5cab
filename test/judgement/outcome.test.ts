import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Change } from '../../src/domain/change.ts'
import { Analysis, Decision, Execution } from '../../src/domain/decision.ts'
import type { JudgementCase } from '../../src/judgement/case.ts'
import { outcomeOf } from '../../src/judgement/outcome.ts'
import { situationsOf } from '../../src/judgement/situation.ts'
import { labelled } from './labelled.ts'

const mine = labelled({
  changes: [
    { key: 'inbox/1.eml', title: 'Boiler inspection', added: ['The boiler man comes on Tuesday at ten o’clock.'] },
    { key: 'notes.md', added: ['- milk'] },
  ],
})
const others = labelled({ changes: [{ key: 'inbox/2.eml', title: 'Holiday photos' }] })
const changes = [...situationsOf([mine, others], 2)[0]!.material.changes]

const act = (rest: object): Decision => Decision.parse({ decision: 'act', reason: 'because', ...rest })
const at = (...keys: string[]) => keys.map((key) => ({ source: 'folder', key, external: true }))
const outcome = (decision: Decision, followed = {}, one: JudgementCase = mine, all: Change[] = changes) =>
  outcomeOf(one, all, decision, followed)

describe('what was surfaced', () => {
  it('is where the sources point, each place once', () => {
    expect(outcome(act({ text: 'x', sources: at('notes.md', 'inbox/1.eml', 'notes.md') })).keys).toEqual([
      'notes.md',
      'inbox/1.eml',
    ])
  })

  it('is what the text names when no source was given: a key, a title or a whole line', () => {
    expect(outcome(act({ text: 'See notes.md.' })).keys).toEqual(['notes.md'])
    expect(outcome(act({ text: 'A mail on “Boiler inspection” came.' })).keys).toEqual(['inbox/1.eml'])
    expect(outcome(act({ text: '> The boiler man comes on Tuesday at ten o’clock.' })).keys).toEqual(['inbox/1.eml'])
    expect(outcome(act({ text: 'Buy - milk.' })).keys).toEqual([])
  })

  it('is the only change there is when nothing is named', () => {
    const [only] = situationsOf([others], 1)
    const found = outcome(act({ text: 'Somebody wrote.' }), {}, others, [...only!.material.changes])
    expect(found).toMatchObject({ keys: ['inbox/2.eml'], nowhere: 0 })
  })

  it('counts once against a result that names no place among several', () => {
    expect(outcome(act({ text: 'Something happened.' }))).toMatchObject({ decision: 'act', keys: [], nowhere: 1 })
  })

  it('counts every invented place against it', () => {
    expect(outcome(act({ text: 'x', sources: at('notes.md', 'gone.md', 'made/up.md') }))).toMatchObject({
      keys: ['notes.md'],
      nowhere: 2,
    })
  })

  it('is a skip where only other cases of the batch were surfaced', () => {
    expect(outcome(act({ text: 'x', sources: at('inbox/2.eml') }))).toMatchObject({ decision: 'skip', keys: [] })
    expect(outcome(act({ text: 'x', sources: at('inbox/2.eml', 'notes.md') }))).toMatchObject({
      decision: 'act',
      keys: ['notes.md'],
      nowhere: 0,
    })
  })

  it('includes what writing the text and looking deeper found', () => {
    const execution = Execution.parse({ text: 'Milk is out.', sources: at('notes.md') })
    expect(outcome(act({}), { execution })).toMatchObject({ keys: ['notes.md'], text: 'Milk is out.', proposed: null })
    const analysis = Analysis.parse({
      kind: 'proposal',
      proposal: {
        title: 'Open the door',
        summary: 'Be there',
        priority: 'normal',
        calls: [],
        provenance: at('inbox/1.eml'),
      },
    })
    const escalate = Decision.parse({ decision: 'escalate', reason: 'a date' })
    expect(outcome(escalate, { analysis })).toMatchObject({
      decision: 'escalate',
      keys: ['inbox/1.eml'],
      proposed: true,
      text: 'Open the door\nBe there',
    })
  })

  it('never throws and never names a key that is not the case’s own', () => {
    const decision = fc.record({
      decision: fc.constantFrom('act' as const, 'escalate' as const),
      reason: fc.string(),
      text: fc.string({ minLength: 1 }),
      sources: fc.array(fc.constantFrom('notes.md', 'inbox/1.eml', 'inbox/2.eml', '', 'x').map((key) => at(key)[0]!)),
    })
    fc.assert(
      fc.property(decision, (given) => {
        for (const key of outcome(Decision.parse(given)).keys) expect(['notes.md', 'inbox/1.eml']).toContain(key)
      }),
    )
  })
})
