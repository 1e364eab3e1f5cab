import { describe, expect, it } from 'vitest'
import { sourceReader } from '../../src/models/provenance.ts'
import { change } from '../memory/material.ts'

const mail = change(1, { source: 'mail', key: 'inbox/1.eml', added: ['Invoice 17', 'is due on Friday.'], removed: [] })
const own = change(2, { key: 'plan.md', external: false, added: ['- call Anna'], removed: ['- call Bob'] })
const later = change(3, { key: 'plan.md', external: true, added: ['- from a mail'], removed: [] })
const read = sourceReader([mail, own])
const quoteOf = (quote: unknown, source = 'mail', key = 'inbox/1.eml') =>
  read(JSON.parse(JSON.stringify([{ source, key, quote }])))[0]?.quote

describe('sources held against the changes that were shown', () => {
  it('are external when their changes are, whatever the model says', () => {
    const given = [
      { source: 'mail', key: 'inbox/1.eml', external: false },
      { source: 'folder', key: 'plan.md', external: true, more: [1] },
    ]
    expect(read(given)).toEqual([
      { source: 'mail', key: 'inbox/1.eml', external: true },
      { source: 'folder', key: 'plan.md', external: false },
    ])
    expect(sourceReader([own, later])([{ source: 'folder', key: 'plan.md' }])).toMatchObject([{ external: true }])
  })

  it('are dropped when they are none of the changes', () => {
    for (const [source, key] of [
      ['mail', 'plan.md'],
      ['folder', 'inbox/1.eml'],
      ['', 'plan.md'],
      ['folder', 'PLAN.MD'],
      ['__proto__', 'constructor'],
    ] as const)
      expect(read([{ source, key }])).toEqual([])
    expect(sourceReader([])([{ source: 'mail', key: 'inbox/1.eml' }])).toEqual([])
  })

  it('are known by the names that a report shows, and have their own', () => {
    const odd = change(1, { key: 'a\nb  c.md' })
    expect(sourceReader([odd])([{ source: ' folder', key: 'a b c.md ' }])).toEqual([
      { source: 'folder', key: 'a\nb  c.md', external: true },
    ])
  })

  it('keep a quote that stands in the lines, without what models put around it', () => {
    for (const quote of [
      'is due on Friday.',
      ' is due on Friday. ',
      '+ is due on Friday.',
      '"is due on Friday."',
      '“is due on Friday.”',
      '+ "is due on Friday."',
    ])
      expect(quoteOf(quote)).toBe('is due on Friday.')
    expect(quoteOf('is due on…')).toBe('is due on')
    expect(quoteOf('Invoice 17\nis due')).toBe('Invoice 17\nis due')
    expect(quoteOf('+ Invoice 17\n+ is due')).toBe('Invoice 17\nis due')
    expect(quoteOf('- call Bob', 'folder', 'plan.md')).toBe('- call Bob')
  })

  it('lose a quote that does not', () => {
    for (const quote of ['is due on Monday.', 'Is due', 'call Anna', '', '  ', '""', '+ ', null, 7, ['Invoice 17'], {}])
      expect(quoteOf(quote)).toBeUndefined()
    expect(read([{ source: 'mail', key: 'inbox/1.eml', quote: 'never said' }])).toHaveLength(1)
  })

  it('have quotes of at most 500 characters, no character cut in two', () => {
    const long = change(1, { added: [`${'x'.repeat(499)}😀 and more`] })
    const [source] = sourceReader([long])([{ source: 'folder', key: 'notes/1.md', quote: long.added[0] ?? '' }])
    expect(source?.quote).toBe('x'.repeat(499))
  })

  it('are at most twenty, each once', () => {
    const many = Array.from({ length: 50 }, (_, at) => change(at))
    const given = many.flatMap(({ source, key }) => [
      { source, key },
      { source, key },
    ])
    const sources = sourceReader(many)(given)
    expect(sources).toHaveLength(20)
    expect(new Set(sources.map(({ key }) => key)).size).toBe(20)
  })
})

describe('sources of any form', () => {
  it('cost only themselves', () => {
    const good = { source: 'mail', key: 'inbox/1.eml' }
    for (const reader of [read, sourceReader()])
      expect(reader([null, 'mail', 7, [], {}, { source: 'mail' }, { source: 1, key: 2 }, good])).toHaveLength(1)
    for (const given of [undefined, null, 'mail: inbox/1.eml', 7, true, {}, []]) expect(read(given)).toEqual([])
    expect(read(good)).toHaveLength(1)
  })
})

describe('sources without changes to hold them against', () => {
  it('are taken as they come, and count as external unless they say otherwise', () => {
    expect(
      sourceReader()([
        { source: 'a', key: 'b', quote: 'c' },
        { source: 'a', key: 'b', external: false },
        { source: 'a', key: 'd', external: 'no', quote: null },
      ]),
    ).toEqual([
      { source: 'a', key: 'b', quote: 'c', external: true },
      { source: 'a', key: 'b', external: false },
      { source: 'a', key: 'd', external: true },
    ])
  })
})
