import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Change } from '../../src/domain/change.ts'
import { planBatches } from '../../src/memory/batches.ts'
import { roomForTasks, situationReport } from '../../src/memory/report.ts'
import { countTokens } from '../../src/memory/tokens.ts'
import { anyChanges, anyMaterial, change, material, now, task } from './material.ts'

fc.configureGlobal({ numRuns: 60 })

const budget = fc.integer({ min: 1000, max: 6000 })

describe('any situation report', () => {
  it('holds no more than its budget', () => {
    fc.assert(
      fc.property(anyMaterial, budget, (given, tokens) => {
        const report = situationReport(given, tokens)
        expect(report.tokens).toBe(countTokens(report.text))
        expect(report.tokens).toBeLessThanOrEqual(tokens)
      }),
    )
  })

  it('is the same for the same material', () => {
    fc.assert(
      fc.property(anyMaterial, budget, (given, tokens) => {
        const before = JSON.stringify(given)
        const report = situationReport(given, tokens)
        expect(situationReport(structuredClone(given), tokens)).toEqual(report)
        expect(JSON.stringify(given)).toBe(before)
      }),
    )
  })

  it('shows changes without a gap, at least one if there is any', () => {
    fc.assert(
      fc.property(anyMaterial, budget, (given, tokens) => {
        const { through, left, changes, text } = situationReport(given, tokens)
        const seen = given.changes.filter(({ seq }) => seq <= (through ?? 0))
        expect(left).toBe(given.changes.length - seen.length)
        expect(seen.length > 0).toBe(given.changes.length > 0)
        const items = (list: readonly Change[]): Set<string> =>
          new Set(list.map(({ source, key }) => `${source} ${key}`))
        expect(items(changes)).toEqual(items(seen))
        expect(changes.map(({ seq }) => seq)).toEqual(changes.map(({ seq }) => seq).sort((a, b) => a - b))
        expect(text.split('\n').filter((line) => line.startsWith('* ')).length).toBe(changes.length)
      }),
    )
  })

  it('begins where the one before ended, until all changes have been shown', () => {
    fc.assert(
      fc.property(anyChanges, (changes) => {
        let from = 0
        for (let reports = 0; reports <= changes.length; reports += 1) {
          const rest = changes.filter(({ seq }) => seq > from)
          const report = situationReport(material({ changes: rest }), 1000)
          if (rest.length === 0) return
          expect(report.through).toBeGreaterThan(from)
          from = report.through!
        }
        expect(from).toBe(changes.at(-1)?.seq ?? 0)
      }),
    )
  })

  it('offers for quoting only lines that stand in the changes word for word', () => {
    fc.assert(
      fc.property(anyMaterial, budget, (given, tokens) => {
        const { changes } = situationReport(given, tokens)
        for (const shown of changes) {
          const rows = given.changes.filter(({ source, key }) => source === shown.source && key === shown.key)
          for (const side of ['added', 'removed'] as const)
            for (const line of shown[side]) expect(rows.some((row) => row[side].includes(line))).toBe(true)
        }
      }),
    )
  })

  it('shows word for word every line that it offers for quoting, where it has room', () => {
    fc.assert(
      fc.property(anyMaterial, (given) => {
        const { changes, text, left } = situationReport(given, 1_000_000)
        expect(left).toBe(0)
        const lines = new Set(text.split('\n'))
        for (const { added, removed } of changes) {
          for (const line of added.filter((one) => !one.includes('fenced'))) expect(lines).toContain(`+ ${line}`)
          for (const line of removed.filter((one) => !one.includes('fenced'))) expect(lines).toContain(`- ${line}`)
        }
      }),
    )
  })

  it('keeps everything from outside within its fences', () => {
    fc.assert(
      fc.property(anyMaterial, budget, (given, tokens) => {
        const marked = given.changes.map((one) => ({ ...one, added: one.added.map((line) => `OUTSIDE ${line}`) }))
        const { text } = situationReport({ ...given, changes: marked }, tokens)
        const name = /Everything between <(fenced-[a-z]{12})>/.exec(text)?.[1]
        let inside = false
        for (const line of text.split('\n')) {
          if (line === `<${name}>` || line === `</${name}>`) {
            expect(inside).toBe(line.startsWith('</'))
            inside = !inside
          } else if (line.includes('OUTSIDE')) expect(inside).toBe(true)
        }
        expect(inside).toBe(false)
        expect(text.split(`</${name}>`).length).toBe(text.split(`\n<${name}>\n`).length + (name ? 1 : 0))
      }),
    )
  })

  it('shows every task of a batch that was planned with the room there is', () => {
    fc.assert(
      fc.property(anyMaterial, budget, (given, tokens) => {
        const tasks = given.tasks.map((one) => ({ ...one, judgedThrough: 0 }))
        for (const batch of planBatches(tasks, { tokens: roomForTasks(given, tokens) }))
          expect(situationReport({ ...given, tasks: batch.tasks }, tokens).tasks).toEqual(batch.tasks)
      }),
    )
  })

  it('is merged without loss: what it says leads from the first state of an item to the last', () => {
    const state = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 6 })
    fc.assert(
      fc.property(fc.array(state, { minLength: 2, maxLength: 8 }), (states) => {
        const rows = states.slice(1).map((after, at) => {
          const [removed, added] = difference(states[at]!, after)
          return change(at + 1, { key: 'a.md', added, removed })
        })
        const { changes } = situationReport(material({ changes: rows }), 100_000)
        expect(changes).toHaveLength(1)
        const [{ added, removed }] = changes as [Change]
        expect([...states[0]!, ...added].sort()).toEqual([...states.at(-1)!, ...removed].sort())
      }),
    )
  })
})

describe('a report of very much', () => {
  it('is made in no time to speak of', () => {
    const tasks = Array.from({ length: 1000 }, (_, at) => task(`tk_${at}`, `Check mailbox ${at} for urgent mail`))
    const start = performance.now()
    situationReport(material({ tasks }), 100_000)
    situationReport(
      material({ tasks, changes: Array.from({ length: 1000 }, (_, at) => change(at, { time: now + at * 1e6 })) }),
      200_000,
    )
    expect(performance.now() - start).toBeLessThan(1000)
  })
})

/** Lines that are more before, and lines that are more after. */
const difference = (before: string[], after: string[]): [removed: string[], added: string[]] => {
  const without = (lines: string[], others: string[]): string[] => {
    const left = [...others]
    return lines.filter((line) => {
      const at = left.indexOf(line)
      if (at >= 0) left.splice(at, 1)
      return at < 0
    })
  }
  return [without(before, after), without(after, before)]
}
