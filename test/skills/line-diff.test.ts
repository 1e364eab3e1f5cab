import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DiffLine, diffLines } from '../../src/skills/line-diff.ts'

const side = (lines: readonly DiffLine[], sign: '+' | '-') =>
  lines.filter((line) => line.sign === ' ' || line.sign === sign).map(({ text }) => text)
const edits = (lines: readonly DiffLine[]) => lines.filter(({ sign }) => sign !== ' ').length

/** How many lines have to come or go at least. */
const fewest = (before: readonly string[], after: readonly string[]): number => {
  let row = after.map(() => 0)
  for (const old of before) {
    let corner = 0
    let left = 0
    row = row.map((above, index) => {
      const common = old === after[index] ? corner + 1 : Math.max(above, left)
      corner = above
      left = common
      return common
    })
  }
  return before.length + after.length - 2 * (row.at(-1) ?? 0)
}

describe('the difference between two lists of lines', () => {
  const list = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 })

  it('leads from the one to the other by as few lines as can be', async () => {
    await fc.assert(
      fc.asyncProperty(list, list, async (before, after) => {
        const lines = await diffLines(before, after)
        expect([side(lines, '-'), side(lines, '+')]).toEqual([before, after])
        expect(edits(lines)).toBe(fewest(before, after))
      }),
      { numRuns: 300 },
    )
  })

  it('of long lists with very many changes still leads there, without taking all for exchanged', async () => {
    const before = Array.from({ length: 10_000 }, (_, index) => `line ${index}`)
    const after = before.flatMap((line, index) => (index % 20 === 0 ? [`${line}!`] : index % 33 === 0 ? [] : [line]))
    const lines = await diffLines(before, after)
    expect(side(lines, '-')).toEqual(before)
    expect(side(lines, '+')).toEqual(after)
    expect(edits(lines)).toBeLessThan(1.05 * (2 * 500 + 300))
  })

  it('of lists that have nothing in common is all of both', async () => {
    const before = Array.from({ length: 3000 }, (_, index) => `old ${index}`)
    const after = Array.from({ length: 2000 }, (_, index) => `new ${index}`)
    const lines = await diffLines(before, after)
    expect([side(lines, '-'), side(lines, '+'), edits(lines)]).toEqual([before, after, 5000])
  })
})
