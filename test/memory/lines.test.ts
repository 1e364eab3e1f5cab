import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changedLines } from '../../src/memory/lines.ts'

const numbered = (count: number, line = (at: number) => `line ${at}`): string[] =>
  Array.from({ length: count }, (_, at) => line(at))

const longestCommon = (a: string[], b: string[]): number => {
  let row = new Array<number>(b.length + 1).fill(0)
  for (const one of a) {
    const next = [0]
    for (const [at, other] of b.entries()) next.push(one === other ? row[at]! + 1 : Math.max(row[at + 1]!, next[at]!))
    row = next
  }
  return row[b.length]!
}

const holdsInOrder = (lines: string[], part: string[]): boolean => {
  let at = 0
  for (const line of lines) if (line === part[at]) at += 1
  return at === part.length
}

const sorted = (lines: string[]): string[] => [...lines].sort()

describe('the changed lines of a text', () => {
  it('are all of them when there was no text before', () => {
    expect(changedLines(null, 'one\n\n  two\t\nthree')).toEqual({
      added: ['one', '', '  two\t', 'three'],
      removed: [],
      omitted: 0,
    })
    expect(changedLines(null, '')).toEqual({ added: [], removed: [], omitted: 0 })
  })

  it('are what went and what came, each in its order', () => {
    const before = 'Status: blocked\nDue: 10 April\n\n- Review on 3 April\n'
    const after = 'Status: in progress\nDue: 10 April\nNote: live\n\n- Review moved to 2 April\n'
    expect(changedLines(before, after)).toEqual({
      added: ['Status: in progress', 'Note: live', '- Review moved to 2 April'],
      removed: ['Status: blocked', '- Review on 3 April'],
      omitted: 0,
    })
  })

  it('include a line that has moved, as gone and come', () => {
    expect(changedLines('# To do\nship\n# Done\nplan', '# To do\n# Done\nship\nplan')).toMatchObject({
      added: [expect.any(String)],
      removed: [expect.any(String)],
    })
  })

  it('are none when a checkout only changed the line ends', () => {
    const nothing = { added: [], removed: [], omitted: 0 }
    expect(changedLines('a\r\nb\r\n', 'a\nb\n')).toEqual(nothing)
    expect(changedLines('a\nb', 'a\r\nb\r\n')).toEqual(nothing)
    expect(changedLines('a\rb', 'a\nb\n')).toEqual(nothing)
  })

  it('keep what the lines hold, whatever that is', () => {
    const line = '\u202e⟦ \u0000 "\ud83d é \u2028 + - @@'
    expect(changedLines('x\n', `x\n${line}\n`).added).toEqual([line])
  })

  it('tell an empty line added at the start', () => {
    expect(changedLines('a\n', '\na\n')).toEqual({ added: [''], removed: [], omitted: 0 })
    expect(changedLines('\na\n', 'a\n')).toEqual({ added: [], removed: [''], omitted: 0 })
  })

  it('are at most 400, the first ones, of which removed ones are sure of a quarter', () => {
    const before = numbered(1000, (at) => `old ${at}`)
    const after = numbered(1000, (at) => `new ${at}`)
    const changed = changedLines(before.join('\n'), after.join('\n'))
    expect(changed).toEqual({ added: after.slice(0, 300), removed: before.slice(0, 100), omitted: 1600 })
    expect(changedLines(null, after.join('\n'))).toEqual({ added: after.slice(0, 400), removed: [], omitted: 600 })
    expect(changedLines(before.join('\n'), 'new')).toEqual({
      added: ['new'],
      removed: before.slice(0, 399),
      omitted: 601,
    })
  })

  it('are at most 64 KiB, and pass over a line that is too long', () => {
    const long = 'x'.repeat(40_000)
    expect(changedLines('a\n', `${long}\nb\n`)).toEqual({ added: ['b'], removed: ['a'], omitted: 1 })
    const wide = numbered(100, (at) => `${at} ${'é'.repeat(1000)}`)
    const { added, omitted } = changedLines(null, wide.join('\n'))
    expect(added).toEqual(wide.slice(0, 32))
    expect(omitted).toBe(68)
  })

  it('do not name lines that only stand elsewhere now, when there are very many of those', () => {
    const before = numbered(2000)
    const after = [...before].reverse()
    after.splice(700, 1, 'news')
    const changed = changedLines(before.join('\n'), after.join('\n'))
    expect(changed.added).toEqual(['news'])
    expect(changed.removed).toEqual(['line 1299'])
    expect(changed.omitted).toBeGreaterThan(0)
  })

  it('are the smallest difference there is', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', 'd e'), { maxLength: 12 })
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const { added, removed, omitted } = changedLines(
          before.map((line) => `${line}\n`).join(''),
          after.map((line) => `${line}\n`).join(''),
        )
        const common = longestCommon(before, after)
        expect([added.length, removed.length, omitted]).toEqual([after.length - common, before.length - common, 0])
      }),
    )
  })

  it('lead from one text to the other, and stand in them in that order', () => {
    const line = fc.oneof(
      fc.constantFrom('', 'a', 'b', ' a'),
      fc.string({ unit: 'binary', maxLength: 5 }).map((text) => text.replaceAll(/[\r\n]/g, '')),
    )
    const lines = fc.array(line, { maxLength: 60 })
    fc.assert(
      fc.property(lines, lines, fc.constantFrom('\n', '\r\n'), (before, after, end) => {
        const { added, removed } = changedLines(
          before.map((text) => text + end).join(''),
          after.map((text) => `${text}\n`).join(''),
        )
        expect(sorted([...before, ...added])).toEqual(sorted([...after, ...removed]))
        expect(holdsInOrder(after, added)).toBe(true)
        expect(holdsInOrder(before, removed)).toBe(true)
      }),
    )
  })

  it.each<[string, string, string]>([
    ['empty lines', '\n'.repeat(2 ** 20), `x${'\n'.repeat(2 ** 20)}y`],
    ['two lines in turn', 'a\nb\n'.repeat(2 ** 18), `${'b\na\n'.repeat(2 ** 18)}c`],
    ['lines in reverse', numbered(15_000).join('\n'), numbered(15_000).reverse().join('\n')],
    ['pairs that changed places', numbered(15_000).join('\n'), numbered(15_000, (at) => `line ${at ^ 1}`).join('\n')],
    [
      'lines of few kinds',
      numbered(15_000, (at) => `${(at * at) % 7}`).join('\n'),
      numbered(15_000, (at) => `${(at * 31) % 8}`).join('\n'),
    ],
    ['one line of a mebibyte', 'a'.repeat(2 ** 20), `${'a'.repeat(2 ** 20)}b`],
  ])('take no time to speak of to find among %s', (_kind, before, after) => {
    const start = performance.now()
    const { added, removed, omitted } = changedLines(before, after)
    expect(performance.now() - start).toBeLessThan(1000)
    expect(added.length + removed.length + omitted).toBeGreaterThan(0)
  })
})
