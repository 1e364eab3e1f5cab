import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { showing, shown, shownJson } from '../../src/house/inspector/shown.ts'

const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'

describe('what an inspector shows of a value', () => {
  it('is the value where nothing in it is secret or long', () => {
    const value = { a: [1, true, null, 'b'], deep: { er: { text: 'line\nline' } } }
    expect(shown(value)).toEqual(value)
  })

  it('has no credential, whether its form, its line or its name tells', () => {
    const value = {
      text: `use ${secret} here`,
      list: [`password=hunter2hunter2`],
      env: { API_KEY: 'zr7Kq92mPx04', password: 'correct-horse-7' },
      [secret]: 1,
    }
    const text = JSON.stringify(shown(value))
    for (const hidden of [secret, 'hunter2hunter2', 'zr7Kq92mPx04', 'correct-horse-7'])
      expect(text).not.toContain(hidden)
    expect(text).toContain('[secret left out]')
  })

  it('does not show the half of a credential that is left where a text was cut', () => {
    const text = String(shown(`${'x'.repeat(1990)} ${secret}`))
    expect(text).not.toContain('ghp_')
  })

  it('says where something was cut', () => {
    expect(shown('x'.repeat(5000))).toBe(`${'x'.repeat(2000)}… (5000 characters)`)
    expect((shown(Array.from({ length: 150 }, () => 1)) as unknown[]).at(-1)).toBe('… 50 more')
    expect(shown(Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`n${n}`, n])))).toHaveProperty(
      '…',
      '50 more',
    )
  })

  it('shares its room among all values of a page', () => {
    const show = showing(3000)
    const texts = [show('x'.repeat(1900)), show('y'.repeat(1900)), show('z'.repeat(1900))].map(String)
    expect(texts.map((text) => text.split('…')[0]?.length)).toEqual([1900, 1100, 0])
  })

  it('is a text where a row holds no JSON', () => {
    expect(shownJson('{"a":')).toBe('{"a":')
    expect(shownJson(null)).toBeNull()
  })

  it('is JSON of a bounded length for any value', () => {
    fc.assert(
      fc.property(fc.anything({ maxDepth: 6, withBigInt: true, withMap: true, withDate: true }), (value) => {
        const text = JSON.stringify(shown(value))
        expect(JSON.parse(text)).toEqual(shown(value))
        expect(text.length).toBeLessThan(1_000_000)
      }),
      { numRuns: 300 },
    )
  })
})
