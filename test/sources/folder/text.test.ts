import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeText, looksLikeText } from '../../../src/sources/folder/text.ts'

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))))

describe('text', () => {
  it.each([
    ['UTF-8', bytes('naïve'), 'naïve'],
    ['UTF-8 with a mark', bytes([0xef, 0xbb, 0xbf], 'naïve'), 'naïve'],
    ['UTF-16, little end first', bytes([0xff, 0xfe], [...Buffer.from('naïve', 'utf16le')]), 'naïve'],
    ['UTF-16, big end first', bytes([0xfe, 0xff], [...Buffer.from('naïve', 'utf16le').swap16()]), 'naïve'],
    ['Western European', bytes('na', [0xef], 've ', [0x80]), 'naïve €'],
    ['UTF-8 cut inside a letter', bytes('naïve', [0xe2, 0x82]), 'naïve'],
    ['Windows line ends', bytes('a\r\nb\rc\n'), 'a\nb\nc\n'],
  ])('reads %s', (_name, input, text) => {
    expect(looksLikeText(input)).toBe(true)
    expect(decodeText(input)).toBe(text)
  })

  it('takes a log in colour for text', () => {
    expect(looksLikeText(bytes('\u001b[32mok\u001b[0m\n'.repeat(100)))).toBe(true)
  })

  it.each([
    ['a single NUL', bytes('long text '.repeat(100), [0])],
    ['many control characters', Buffer.from(Array.from({ length: 999 }, (_, at) => 1 + (at % 255)))],
    ['UTF-32', bytes([0xff, 0xfe, 0, 0], [...Buffer.from('a\0b\0', 'utf16le')])],
  ])('does not take for text what has %s', (_name, input) => {
    expect(looksLikeText(input)).toBe(false)
  })

  it('reads any bytes without failing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (input) => {
        looksLikeText(input)
        expect(decodeText(input)).not.toContain('\r')
      }),
    )
  })
})
