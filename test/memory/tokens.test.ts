import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countTokens, grainsPerToken, weigh } from '../../src/memory/tokens.ts'

describe('the count of tokens', () => {
  // The second figure is the largest count by the vocabularies of GPT-4, GPT-4o and Llama 3.
  it.each<[text: string, actual: number, most: number]>([
    ['', 0, 0],
    ['The review has moved to Thursday, please tell the others.', 12, 18],
    ['Die Besprechung wurde auf morgen um drei Uhr verschoben.', 15, 20],
    ['La réunion a été déplacée à demain à quinze heures.', 18, 24],
    ['Завтра совещание перенесено на три часа дня.', 21, 30],
    ['明天下午三点开会,请准时参加。', 16, 22],
    ['明日の会議は午後三時に変更されました。', 18, 26],
    ['내일 회의는 오후 세 시로 변경되었습니다.', 17, 26],
    ['تم نقل الاجتماع إلى الساعة الثالثة غدا.', 29, 40],
    ['🎉🚀🔥', 9, 12],
    ['const total = lines.reduce((sum, line) => sum + line.length, 0)', 19, 30],
    ['2026-04-01 18:00:01', 12, 20],
    ['3f9a7c1e5b8d2460af13', 12, 24],
  ])('of %j is no less than a model counts, and not wildly more', (text, actual, most) => {
    expect(countTokens(text)).toBeGreaterThanOrEqual(actual)
    expect(countTokens(text)).toBeLessThanOrEqual(most)
  })

  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.lorem())

  it('is never less for more text', () => {
    fc.assert(
      fc.property(text, text, (one, two) => {
        expect(weigh(one + two)).toBeGreaterThanOrEqual(Math.max(weigh(one), 0))
        expect(countTokens(one + two)).toBeGreaterThanOrEqual(countTokens(one))
      }),
    )
  })

  it('is the sum of the lines and one for each line end', () => {
    fc.assert(
      fc.property(fc.array(text.map((line) => line.replaceAll('\n', ' '))), (lines) => {
        const sum = lines.reduce((total, line) => total + weigh(line), 0)
        expect(weigh(lines.join('\n'))).toBe(sum + Math.max(0, lines.length - 1) * grainsPerToken)
      }),
    )
  })

  it('counts a letter, a digit, a line end and a word as at least one, and a single space as none', () => {
    expect(['a', '7', '\n', '.', 'word', ' '].map(countTokens)).toEqual([1, 1, 1, 1, 2, 0])
    expect(countTokens('a b c')).toBe(3)
  })

  it('takes a mebibyte at once', () => {
    const start = performance.now()
    expect(countTokens('words and words, 明天 7\n'.repeat(2 ** 16))).toBeGreaterThan(2 ** 18)
    expect(performance.now() - start).toBeLessThan(500)
  })
})
