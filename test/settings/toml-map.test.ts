import fc from 'fast-check'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { at, isTable } from '../../src/settings/table.ts'
import { lineAndColumn, mapToml } from '../../src/settings/toml-map.ts'
import { listItems } from '../../src/settings/toml-scan.ts'
import { document, parses } from './support/toml.ts'

const keysOf = (text: string): string[] => mapToml(text).entries.map(({ path }) => path.join('.'))

describe('the map of a TOML text', () => {
  it('finds keys however they are written', () => {
    expect(keysOf('a=1\n b . "c.d" = 2\n[ x . \'y\' ] # [no]\nz = { p.q = 1, r = { } }\n[[l]]\nm = "\\"]"')).toEqual([
      'a',
      'b.c.d',
      'x.y.z',
      'x.y.z.p.q',
      'x.y.z.r',
      'l.m',
    ])
  })

  it.each([
    ['a = "x # y" # z', '"x # y"'],
    ["a = 'x\\' # z", "'x\\'"],
    ['a = """x"""""\nb = 1', '"""x"""""'],
    ["a = '''\n' ''x'''\n", "'''\n' ''x'''"],
    ['a = """\\""""\nb = 2', '"""\\""""'],
    ['a = ""\nb = ""', '""'],
    ['a = [ "]", # ]\n [1], {b = "}"} ] # c', '[ "]", # ]\n [1], {b = "}"} ]'],
    ['a = 1979-05-27 07:32:00 # c', '1979-05-27 07:32:00'],
    ['a = +1_000.5e3\t\r\n', '+1_000.5e3'],
    ['a = { b = 1 }', '{ b = 1 }'],
  ])('knows where a value ends: %j', (text, value) => {
    expect(parses(text)).toBe(true)
    const found = mapToml(text).entries[0]?.value
    expect(text.slice(found?.start, found?.end)).toBe(value)
  })

  it('finds every value of every document, and what it finds is that value', () => {
    fc.assert(
      fc.property(document, (text) => {
        const whole = parse(text)
        const { entries } = mapToml(text)
        for (const { path, value, key } of entries) {
          const there = at(whole, path)
          // Rows of a list of tables share one path; the map does not number them.
          if (path[0] === 'rows') continue
          expect(at(parse(`x = ${text.slice(value.start, value.end)}`), ['x'])).toEqual(there)
          expect(text.slice(key.start, key.end)).toContain(path.at(-1))
        }
        const leaves = (table: unknown, path: string[]): string[] =>
          isTable(table)
            ? Object.entries(table).flatMap(([name, inner]) => leaves(inner, [...path, name]))
            : [path.join('.')]
        const found = entries.map(({ path }) => path.join('.'))
        for (const leaf of leaves(whole, [])) if (leaf !== 'rows') expect(found).toContain(leaf)
      }),
      { numRuns: 150 },
    )
  })

  it('comes to an end on any text', () => {
    const piece = fc.constantFrom(
      '[',
      ']',
      '{',
      '}',
      '"',
      "'",
      '"""',
      "'''",
      '=',
      ',',
      '.',
      '#',
      '\n',
      '\r\n',
      ' ',
      'a',
      '1',
      '\\',
      '\uFEFF',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('')
        // Quoted keys of a text that does not parse may be refused; it must not hang.
        if (parses(text)) expect(mapToml(text).entries.length).toBeLessThanOrEqual(text.length)
        listItems(text, 0)
      }),
      { numRuns: 1000 },
    )
  })

  it('counts lines and columns from one, without a byte order mark', () => {
    expect(lineAndColumn('ab\r\ncd', 5)).toEqual({ line: 2, column: 2 })
    expect(lineAndColumn('\uFEFFab', 1)).toEqual({ line: 1, column: 1 })
  })
})
