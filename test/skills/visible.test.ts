import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { visible } from '../../src/skills/visible.ts'

describe('visible text', () => {
  it.each([
    ['photo\u202egpj.exe', 'photo⟨U+202E⟩gpj.exe'],
    ['\u2066a\u2069', '⟨U+2066⟩a⟨U+2069⟩'],
    ['a\u200fb\u061cc', 'a⟨U+200F⟩b⟨U+061C⟩c'],
    ['a\0b\u001b[2Kc\r\u0085', 'a⟨U+0000⟩b⟨U+001B⟩[2Kc⟨U+000D⟩⟨U+0085⟩'],
    ['me@exam\u200bple.org', 'me@exam⟨U+200B⟩ple.org'],
    ['me@exam\u200dple.org', 'me@exam⟨U+200D⟩ple.org'],
    ['\ufeffa\u2060b\u00adc\u3164', '⟨U+FEFF⟩a⟨U+2060⟩b⟨U+00AD⟩c⟨U+3164⟩'],
    ['hi\u{e0041}\u{e0042}', 'hi⟨U+E0041⟩⟨U+E0042⟩'],
    ['a\ufe00\ufe01\ufe02', 'a\ufe00⟨U+FE01⟩⟨U+FE02⟩'],
    ['a\u2028b\u2029c', 'a⟨U+2028⟩b⟨U+2029⟩c'],
    ['a\ud800b', 'a⟨U+D800⟩b'],
  ])('names what hides in %j', (text, shown) => {
    expect(visible(text)).toBe(shown)
  })

  it.each([
    'Two lines\n\tof notes — “quoted”, 100 %',
    '周五之前付款：￥300',
    'می\u200cخواهم',
    'क्\u200dष',
    '👩\u200d💻 👩🏽\u200d🚀 ❤\ufe0f\u200d🔥 ✔\ufe0f',
    'é e\u0301 ñ שלום',
  ])('leaves %j, which is ordinary writing, as it is', (text) => {
    expect(visible(text)).toBe(text)
  })

  it('holds nothing that steers a terminal or turns the direction of text, whatever went in', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = visible(text)
        expect(shown.replace(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u)
        expect(visible(shown)).toBe(shown)
      }),
      { numRuns: 2000 },
    ))
})
