import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstHeading, oneLine } from '../../../src/sources/folder/title.ts'

describe('titles', () => {
  it.each([
    ['# Plan', 'Plan'],
    ['intro\n\n## The plan ##\n# Other', 'The plan'],
    ['The plan\n========\n', 'The plan'],
    ['---\ntitle: x\n---\n# Plan', 'Plan'],
    ['```\n# not this\n```\n# Plan', 'Plan'],
    ['~~~~\n```\n# not this\n~~~~\n# Plan', 'Plan'],
    ['#hashtag\n# C#', 'C#'],
    ['#\n# Plan', 'Plan'],
    ['- a\n---\n# Plan', 'Plan'],
  ])('finds in %j the heading %j', (text, title) => {
    expect(firstHeading(text)).toBe(title)
  })

  it.each(['', 'only words', '---\nnever closed', '```\n# open fence'])('finds none in %j', (text) => {
    expect(firstHeading(text)).toBeNull()
  })

  it('gives one short line without control characters for any text', () => {
    expect(oneLine(' a\n\tb\u0007c\u2028d ')).toBe('a b c d')
    expect(oneLine(`${'x'.repeat(199)}😀`)).toBe('x'.repeat(199))
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
        expect(oneLine(text)).toMatch(/^[^\p{Cc}]{0,200}$/u)
        firstHeading(`# ${text}`)
      }),
    )
  })
})
