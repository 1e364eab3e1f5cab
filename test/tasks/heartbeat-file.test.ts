import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/domain/errors.ts'
import { readHeartbeat } from '../../src/tasks/heartbeat-file.ts'

const cases = new URL('../cases/heartbeat/', import.meta.url)
const bytes = (text: string) => new TextEncoder().encode(text)
const titles = (text: string) => readHeartbeat(bytes(text)).titles
const utf16 = (text: string, bigEndian: boolean) => {
  const buffer = Buffer.from(`\uFEFF${text}`, 'utf16le')
  return bigEndian ? buffer.swap16() : buffer
}
const faultOf = (input: Uint8Array): Fault => {
  try {
    readHeartbeat(input)
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  throw new Error('nothing was refused')
}

describe('the tasks of a HEARTBEAT.md', () => {
  it.each(['mixed', 'bom-crlf', 'only-template'])('are those that the case "%s" expects', (name) => {
    const expected = JSON.parse(readFileSync(new URL(`${name}.tasks.json`, cases), 'utf8')) as string[]
    expect(readHeartbeat(readFileSync(new URL(`${name}.md`, cases))).titles).toEqual(expected)
  })

  it('are top-level list items of every kind', () => {
    expect(titles('- a1\n* b1\n+ c1\n1. d1\n2) e1\n- [ ] f1\n')).toEqual(['a1', 'b1', 'c1', 'd1', 'e1', 'f1'])
  })

  it('are none of headings, prose, quotes, tables, code, comments and checked boxes', () => {
    const text =
      '# - heading\n\nprose\n\n> - quoted\n\n| - a | b |\n|-----|---|\n| - c | d |\n\n    - indented code\n\n~~~\n- fenced\n~~~\n\n<!--\n- hidden\n-->\n\n- [x] done\n- [X] done too\n\n[^1]: - a note\n'
    expect(titles(text)).toEqual([])
  })

  it('leave out what an item holds besides its words', () => {
    expect(
      titles('- Check the fees\n  > - quoted\n\n  ```\n  code\n  ```\n  | a | b |\n  |---|---|\n  | c | d |\n'),
    ).toEqual(['Check the fees'])
    expect(
      titles(
        '- ```\n  code\n  ```\n- > quote\n- [x]\n- [ ]\n- []\n-\n- <!-- nothing -->\n- [label]: https://example.org\n',
      ),
    ).toEqual([])
  })

  it('take in nested items in their order, without those that are checked', () => {
    expect(
      titles('- Plan the trip\n  - [ ] trains\n  - [x] hotel\n    - with breakfast\n  - food\n    1. vegetarian\n'),
    ).toEqual(['Plan the trip; trains; food; vegetarian'])
    expect(titles('- - only nested\n')).toEqual(['only nested'])
  })

  it('put no semicolon behind a sentence that has ended', () => {
    expect(titles('- Read new mail.\n\n  Only the unread.\n  - from Anna:\n  - from Tom\n')).toEqual([
      'Read new mail. Only the unread. from Anna: from Tom',
    ])
  })

  it('stand as they are written, but for white space and comments', () => {
    expect(
      titles('-  **Read**   `a  b`\u0007 <!-- not\n   this --> and `<!-- that -->`,\n  [all](x.md) *of_it\n'),
    ).toEqual(['**Read** `a b` and `<!-- that -->`, [all](x.md) *of_it'])
  })

  it('count once when a line is repeated', () => {
    expect(titles('- same\n- other\n* same\n-   same  \n')).toEqual(['same', 'other'])
  })

  it('are cut to 500 characters with the ellipsis, and never within a character', () => {
    const [long] = titles(`- ${'x'.repeat(600)}\n`)
    expect(long).toBe(`${'x'.repeat(499)}…`)
    const [exact] = titles(`- ${'y'.repeat(500)}\n`)
    expect(exact).toBe('y'.repeat(500))
    const [emoji] = titles(`- ${'z'.repeat(498)}📨📨\n`)
    expect(emoji).toBe(`${'z'.repeat(498)}…`)
  })

  it('are found whatever ends the lines', () => {
    for (const end of ['\n', '\r\n', '\r'])
      expect(titles(['# A', '- one', '  more', '- two'].join(end))).toEqual(['one more', 'two'])
  })

  it('are the same when the file is longer than the parser is given at once', () => {
    const block = (n: number) => [
      `## Part ${n}`,
      '',
      `- task ${n}`,
      `  - nested ${n}`,
      '  ```',
      '  - not a task',
      '  ```',
      `10. ordered ${n}`,
      '',
      `    second paragraph ${n}`,
      '',
      '<!--',
      '- hidden',
      '',
      '-->',
      'prose',
      'prose',
      '```',
      ...Array.from({ length: n % 90 }, () => '- code'),
      '```',
      `   * indented ${n}`,
      `     with more`,
      `     - and nested`,
    ]
    const many = Array.from({ length: 90 }, (_, n) => n)
    const expected = many.flatMap((n) => [
      `task ${n}; nested ${n}`,
      `ordered ${n}; second paragraph ${n}`,
      `indented ${n} with more; and nested`,
    ])
    expect(titles(many.flatMap(block).join('\n'))).toEqual(expected)
  })
})

describe('a HEARTBEAT.md', () => {
  it('may be UTF-8 with or without a byte order mark, or UTF-16 of either order', () => {
    const text = '- Prüfe die Rechnungen\r\n- 检查反馈 📨\r\n'
    const expected = { titles: ['Prüfe die Rechnungen', '检查反馈 📨'], hasText: true }
    for (const input of [bytes(text), bytes(`\uFEFF${text}`), utf16(text, false), utf16(text, true)])
      expect(readHeartbeat(input)).toEqual(expected)
  })

  it('holds text when there is anything but white space in it', () => {
    expect(readHeartbeat(bytes(''))).toEqual({ titles: [], hasText: false })
    expect(readHeartbeat(bytes('\uFEFF \t\r\n\n'))).toEqual({ titles: [], hasText: false })
    expect(readHeartbeat(bytes('<!-- - x -->'))).toEqual({ titles: [], hasText: true })
  })

  it('is refused when it is not text', () => {
    const inputs = [
      Uint8Array.of(0xff, 0xfe, 0x00),
      Uint8Array.of(0xff, 0xfe, 0x00, 0xd8),
      Uint8Array.of(0x2d, 0x20, 0xe9),
      Uint8Array.of(0x2d, 0x20, 0x00, 0x61),
      Buffer.from('- utf-16 without a mark', 'utf16le'),
      Buffer.from('7f454c4602010100000000', 'hex'),
    ]
    for (const input of inputs) expect(faultOf(input).code).toBe('heartbeat/unreadable')
  })

  it('is refused, not parsed, when it is larger than 256 KiB or 10,000 lines', () => {
    const five = new Uint8Array(5 * 1024 * 1024).fill(0x61)
    const before = performance.now()
    expect(faultOf(five).code).toBe('heartbeat/too-large')
    expect(faultOf(bytes('a\n'.repeat(10_001))).code).toBe('heartbeat/too-large')
    expect(faultOf(bytes(`\`\`\`\n${'- a\n'.repeat(5000)}`)).message).toContain('one block')
    expect(performance.now() - before).toBeLessThan(5000)
    expect(titles(`- one\n\n${'word '.repeat(50_000)}\n\n- two\n`)).toEqual(['one', 'two'])
  })

  it('is refused when it is nested thousands of levels deep, which names the line', () => {
    for (const marker of ['> ', '>', '- ', '* ', '1. ', '- > '])
      expect(faultOf(bytes(`# Tasks\n${marker.repeat(5000)}x`))).toMatchObject({
        code: 'heartbeat/too-deep',
        data: { line: 2 },
      })
    const stairs = Array.from({ length: 300 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n')
    expect(faultOf(bytes(stairs)).code).toBe('heartbeat/too-deep')
  })

  it('may draw a long line across the page', () => {
    expect(titles(`- one\n\n${'- '.repeat(300)}\n\n${'*'.repeat(300)}\n\n${'_ '.repeat(300)}\n- two\n`)).toEqual([
      'one',
      'two',
    ])
  })

  it('is read in a time that its size bounds, however it is built', () => {
    for (const line of ['- > a', '- [a', '[^a]: - a', '- <!--', '- ` `` ```', '|a|b|', '> > - a', '-\t-\ta', '*a _b'])
      expect(() => readHeartbeat(bytes(`${line}\n`.repeat(600)))).not.toThrow()
    for (const piece of ['[', '`', '<!-- ', '*a _b ', '![a](', '&amp;', '\\', '<a '])
      expect(() => readHeartbeat(bytes(`- ${piece.repeat(5000)}`))).not.toThrow()
  })

  it('is either read or refused with a Fault, whatever the bytes', () => {
    const piece = fc.constantFrom(
      '- ',
      '* ',
      '1. ',
      '> ',
      '  ',
      '    ',
      '\t',
      '\n',
      '\r\n',
      '[ ] ',
      '[x] ',
      '`',
      '```\n',
      '<!--',
      '-->',
      '|',
      '|-|\n',
      '# ',
      'a',
      '你',
      '[^1]: ',
      '\u0000',
      '***',
      '---\n',
      '<div>\n',
    )
    const input = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.array(piece, { maxLength: 80 }).map((parts) => bytes(parts.join(''))),
    )
    fc.assert(
      fc.property(input, (any) => {
        try {
          for (const title of readHeartbeat(any).titles) {
            expect(title).toBe(title.trim())
            expect(title.length).toBeGreaterThan(0)
            expect(title.length).toBeLessThanOrEqual(500)
            expect(title).not.toMatch(/[\n\r\t]/)
          }
        } catch (error) {
          expect(error).toBeInstanceOf(Fault)
        }
      }),
      { numRuns: 200 },
    )
  })
})
