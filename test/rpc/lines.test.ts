import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Lines } from '../../src/rpc/lines.ts'

const all = (lines: Lines): string[] => {
  const found: string[] = []
  for (let line = lines.next(); line; line = lines.next()) found.push(line.toString())
  return found
}

describe('lines', () => {
  it('are the same however the stream is cut', () => {
    const lines = fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ' ')))
    fc.assert(
      fc.property(lines, fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), (texts, sizes) => {
        const stream = Buffer.from(texts.map((text) => `${text}\n`).join(''))
        const cut = new Lines()
        const found: string[] = []
        for (let at = 0, turn = 0; at < stream.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1
          cut.push(stream.subarray(at, at + size))
          at += size
          if (turn % 3 === 0) found.push(...all(cut))
        }
        expect([...found, ...all(cut)]).toEqual(texts.filter((text) => text !== ''))
        expect(cut.half).toBe(false)
      }),
    )
  })

  it('may be as long as they may be, and not a byte longer', () => {
    const lines = new Lines(4)
    lines.push(Buffer.from('abcd\nab'))
    lines.push(Buffer.from('cd\n'))
    expect(all(lines)).toEqual(['abcd', 'abcd'])
    lines.push(Buffer.from('ab'))
    expect(lines.tooLong).toBe(false)
    lines.push(Buffer.from('cde\nxy\n'))
    expect(lines.tooLong).toBe(true)
    expect(all(lines)).toEqual([])
  })

  it('say whether one ended and whether one has begun', () => {
    const lines = new Lines()
    expect([lines.push(Buffer.from('a')), lines.half]).toEqual([false, true])
    expect([lines.push(Buffer.from('b\nc')), lines.half]).toEqual([true, true])
    expect([lines.push(Buffer.from('\n')), lines.half]).toEqual([true, false])
    expect(all(lines)).toEqual(['ab', 'c'])
  })

  it('end with the stream even without a line end', () => {
    const lines = new Lines()
    lines.push(Buffer.from('a\nb'))
    lines.end()
    lines.end()
    expect(all(lines)).toEqual(['a', 'b'])
  })
})
