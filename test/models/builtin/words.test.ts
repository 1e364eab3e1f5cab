import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoteOf, visible, withoutMark } from '../../../src/models/builtin/quote.ts'
import { words } from '../../../src/models/builtin/words.ts'
import { wallTime } from '../../../src/models/builtin/zone.ts'

describe('words', () => {
  it.each([
    ['meetings', 'meeting'],
    ['replies', 'reply'],
    ['passes', 'passed'],
    ['changing', 'changes'],
    ['Termine', 'TERMIN'],
    ['Rechnungen', 'Rechnung'],
    ['café', 'CAFE'],
    ['Straße', 'strasse'],
  ])('meet in one stem: %s and %s', (one, other) => {
    expect(words(one)).toEqual(words(other))
  })

  it('keeps apart what only looks alike', () => {
    expect(words('status')).not.toEqual(words('stat'))
    expect(words('ring')).toEqual(['ring'])
  })

  it('cuts writing without spaces into pairs, also beside other writing', () => {
    expect(words('Q2报告完成')).toEqual(['q2', '报告', '告完', '完成'])
  })
})

describe('quotes', () => {
  it('stand in their line word for word, hold nothing that acts on a screen, and keep their size', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 900 }), (line) => {
        const { text } = quoteOf(line)
        expect(line.includes(text)).toBe(true)
        expect(text.length).toBeLessThanOrEqual(500)
        expect(text).not.toMatch(/(?!\t)\p{Cc}|[\u202e\u2066\u2028]|\p{Cs}/u)
      }),
    )
  })

  it('are a beginning of a long line, not cut within a character', () => {
    const line = `${'a'.repeat(499)}😀 and more`
    expect(quoteOf(line)).toEqual({ text: 'a'.repeat(499), whole: false })
    expect(quoteOf(' short ')).toEqual({ text: 'short', whole: true })
  })

  it.each([
    ['- [ ] call', 'call'],
    ['12. call', 'call'],
    ['## Call', 'Call'],
    ['Subject: call', 'call'],
    ['2026-04-01 call', '2026-04-01 call'],
  ])('go without the mark of their line: %s', (line, bare) => {
    expect(withoutMark(line)).toBe(bare)
  })

  it('name places in one line', () => {
    expect(visible('a\nb\u202e.md')).toBe('a\\u{a}b\\u{202e}.md')
    expect(visible('x'.repeat(500))).toHaveLength(200)
  })
})

describe('wall time', () => {
  it('is that of the zone, across daylight saving', () => {
    expect(wallTime('Europe/Berlin', Date.UTC(2026, 2, 29, 0, 59))).toMatchObject({ day: 29, hour: 1, minute: 59 })
    expect(wallTime('Europe/Berlin', Date.UTC(2026, 2, 29, 1, 0))).toMatchObject({ day: 29, hour: 3, minute: 0 })
    expect(wallTime('Asia/Kathmandu', Date.UTC(2026, 0, 1))).toEqual({
      year: 2026,
      month: 1,
      day: 1,
      hour: 5,
      minute: 45,
    })
  })

  it('is that of UTC in a zone that does not exist', () => {
    expect(wallTime('Mars/Olympus', Date.UTC(2026, 0, 1))).toMatchObject({ year: 2026, month: 1, day: 1, hour: 0 })
  })
})
