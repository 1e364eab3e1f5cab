import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { childOf, holds, keyOfName, parentOf, pathOf, textOf } from '../../../src/sources/folder/key.ts'

const bytesOf = (path: string | Buffer) => Buffer.from(path)

describe('keys', () => {
  it.each([
    ['plan.md', 'plan.md'],
    ['100%.md', '100%.md'],
    ['größe 表.md', 'größe 表.md'],
    ['two\nlines', 'two%0Alines'],
    ['a%0Ab', 'a%250Ab'],
    ['invoice\u202Efdp.exe', 'invoice%E2%80%AEfdp.exe'],
    ['\u2028', '%E2%80%A8'],
  ])('writes the name %j as %j', (name, key) => {
    expect(keyOfName(Buffer.from(name))).toBe(key)
    expect(textOf(key)).toBe(name)
  })

  it('writes bytes that are no text as escapes and the text around them as it is', () => {
    expect(keyOfName(Buffer.from([0x61, 0xff, 0xc3, 0xbc, 0xc3]))).toBe('a%FFü%C3')
  })

  it('leads back to the bytes of any name and fits on one line', () => {
    const name = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 30 }),
      fc
        .string({ unit: fc.constantFrom('%', '0', 'A', 'a', '\n', 'é', '\u202e', '.') })
        .map((text) => Buffer.from(text)),
    )
    fc.assert(
      fc.property(name, (bytes) => {
        const clean = Buffer.from(bytes.filter((byte) => byte !== 0 && byte !== 0x2f))
        const key = keyOfName(clean)
        expect(bytesOf(pathOf('/r', key || '.'))).toEqual(
          Buffer.concat([Buffer.from('/r/'), key ? clean : Buffer.from('.')]),
        )
        expect(key).not.toMatch(/[\p{Cc}\u2028\u2029\u202A-\u202E]/u)
      }),
    )
  })

  it('finds a key in a set by itself or by any directory above it', () => {
    expect(holds(new Set(['a/b']), 'a/b/c/d')).toBe(true)
    expect(holds(new Set(['a/b']), 'a/bc')).toBe(false)
    expect(holds(new Set(['']), 'x')).toBe(true)
    expect(parentOf(childOf('', 'x'))).toBe('')
  })
})
