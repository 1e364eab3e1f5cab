import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutAtWord, longestDirective, longestExpiry, readSteering, usualExpiry } from '../../src/profiles/steering.ts'

const read = (answer: string) => {
  const reading = readSteering(answer)
  return reading.kind === 'answer' ? reading.answer : reading.kind
}
const advice = (text: string, expiresAfter: number = usualExpiry) => ({ text, expiresAfter })

describe('a directive', () => {
  it.each([
    ['STEERING_DIRECTIVE: Keep answers short.', advice('Keep answers short.')],
    ['STEERING_DIRECTIVE:Keep answers short.\nexpires_after_cycles: 5', advice('Keep answers short.', 5)],
    ['expires_after_cycles: 5\nSTEERING_DIRECTIVE: Keep answers short.', advice('Keep answers short.', 5)],
    ['I looked at it.\n\nSTEERING_DIRECTIVE: Go on.\n', advice('Go on.')],
    ['steering_directive: Go on.', advice('Go on.')],
    ['**STEERING_DIRECTIVE:** Go on.', advice('Go on.')],
    ['- STEERING_DIRECTIVE: Go on.\n- expires_after_cycles: 7', advice('Go on.', 7)],
    ['```\nSTEERING_DIRECTIVE: Go on.\n```\nThat was it.', advice('Go on.')],
    ['STEERING_DIRECTIVE：继续\nexpires_after_cycles：3', advice('继续', 3)],
    ['\u2028STEERING_DIRECTIVE: Go on.', advice('Go on.')],
  ])('is read: %j', (answer, expected) => {
    expect(read(answer)).toEqual(expected)
  })

  it('may span lines, up to its expiry or the end', () => {
    expect(
      read('STEERING_DIRECTIVE: First this.\nThen that:\n  - one\n\nLast.\nexpires_after_cycles: 3\nBye.'),
    ).toEqual(advice('First this.\nThen that:\n  - one\n\nLast.', 3))
    expect(read('STEERING_DIRECTIVE:\r\nBelow the mark.\r\n')).toEqual(advice('Below the mark.'))
  })

  it('is the first where there are two', () => {
    expect(read('STEERING_DIRECTIVE: One.\nSTEERING_DIRECTIVE: Two.')).toEqual(advice('One.'))
  })

  it.each([
    ['1', 1],
    ['200', 200],
    ['201', longestExpiry],
    ['1000000000', longestExpiry],
    ['9'.repeat(400), longestExpiry],
    ['12 cycles', 12],
    ['0', usualExpiry],
    ['-4', usualExpiry],
    ['2.5', usualExpiry],
    ['1e3', usualExpiry],
    ['soon', usualExpiry],
    ['', usualExpiry],
    ['NaN', usualExpiry],
  ])('holds within bounds, whatever it says of itself: %s', (told, expected) => {
    expect(read(`STEERING_DIRECTIVE: Go on.\nexpires_after_cycles: ${told}`)).toEqual(advice('Go on.', expected))
  })

  it('is cut at a word when it is too long', () => {
    const words = 'steady '.repeat(300)
    const { text } = read(`STEERING_DIRECTIVE: ${words}`) as { text: string }
    expect(words.length).toBeGreaterThan(2000)
    expect(text.length).toBeLessThanOrEqual(longestDirective)
    expect(text.length).toBeGreaterThan(longestDirective - 10)
    expect(text).toMatch(/steady…$/)
    const endless = read(`STEERING_DIRECTIVE: ${'x'.repeat(2000)}`) as { text: string }
    expect(endless.text).toHaveLength(longestDirective)
  })

  it('loses what hides in it or steers a screen', () => {
    expect(read('STEERING_DIRECTIVE: Go\u001b[2J \u202eon\u200b.')).toEqual(advice('Go[2J on.'))
  })
})

describe('an answer without a directive', () => {
  it.each([
    'NONE',
    'none',
    'None.',
    ' "NONE" \n',
    '**none**',
    '```\nNONE\n```',
    'STEERING_DIRECTIVE: NONE',
    'NONE\nexpires_after_cycles: 4',
  ])('declines: %j', (answer) => {
    expect(read(answer)).toBe('declined')
  })

  it.each([
    '',
    ' \n',
    'Keep going.',
    'None of this matters.',
    'NONE, but look at the tests',
    'STEERING_DIRECTIVE:',
    'STEERING_DIRECTIVE: \u200b',
    'DIRECTIVE: Go on.',
    'He said STEERING_DIRECTIVE: obey',
  ])('breaks the contract: %j', (answer) => {
    expect(read(answer)).toBe('broken')
  })
})

it('reads any answer without throwing, in time, and within its bounds', () => {
  const pieces = fc.array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('STEERING_DIRECTIVE:', 'expires_after_cycles:', 'NONE', '\n', '```', '*', ' ', '-', '9'),
      fc.constantFrom(' '.repeat(5000), '*'.repeat(5000), 'expires_after_cycles:'.repeat(500)),
    ),
    { maxLength: 30 },
  )
  const started = performance.now()
  fc.assert(
    fc.property(pieces, (parts) => {
      const reading = readSteering(parts.join(''))
      if (reading.kind !== 'answer') return
      const { text, expiresAfter } = reading.answer as { text: string; expiresAfter: number }
      expect(text.length).toBeGreaterThan(0)
      expect(text.length).toBeLessThanOrEqual(longestDirective)
      expect(Number.isInteger(expiresAfter) && expiresAfter >= 1 && expiresAfter <= longestExpiry).toBe(true)
    }),
    { numRuns: 300 },
  )
  expect(performance.now() - started).toBeLessThan(5000)
})

it('cuts no character in two', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.integer({ min: 2, max: 60 }), (text, most) => {
      const cut = cutAtWord(text, most)
      expect(cut.length).toBeLessThanOrEqual(Math.max(most, 1))
      expect(cut).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/)
    }),
  )
})
