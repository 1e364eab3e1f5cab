import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recommendedAction } from '../../../src/models/language/recommended-action.ts'

const pay = 'Pay invoice 17 by Friday.'
const found = { before: 'The invoice is due.', action: pay }
const text = (line: string) => `The invoice is due.\n\n${line}`

describe('a recommended action', () => {
  it.each([
    ['in capitals', `RECOMMENDED ACTION: ${pay}`],
    ['in small letters', `recommended action: ${pay}`],
    ['in mixed case', `Recommended Action: ${pay}`],
    ['in the plural', `Recommended actions: ${pay}`],
    ['with an underscore', `RECOMMENDED_ACTION: ${pay}`],
    ['bold with the colon inside', `**Recommended action:** ${pay}`],
    ['bold with the colon outside', `**Recommended action**: ${pay}`],
    ['bold with the action', `**Recommended action: ${pay}**`],
    ['emphasised', `_Recommended action:_ ${pay}`],
    ['emphasised three times', `***RECOMMENDED ACTION:*** ${pay}`],
    ['as a heading', `## Recommended action\n\n${pay}`],
    ['as a heading with a colon', `### Recommended Action:\n${pay}`],
    ['as a bold heading', `## **recommended action**\n${pay}`],
    ['as a bold line', `**Recommended action**\n${pay}`],
    ['as a list item', `- Recommended action: ${pay}`],
    ['as a bold list item', `* **Recommended action:** ${pay}`],
    ['as a numbered item', `2. RECOMMENDED ACTION: ${pay}`],
    ['as an item to tick off', `- [ ] Recommended action: ${pay}`],
    ['with a full-width colon', `RECOMMENDED ACTION：${pay}`],
    ['with a space before the colon', `RECOMMENDED ACTION : ${pay}`],
    ['on the next line', `RECOMMENDED ACTION:\n${pay}`],
    ['a little indented', `   RECOMMENDED ACTION: ${pay}`],
    ['in a code fence', `\`\`\`\nRECOMMENDED ACTION: ${pay}\n\`\`\``],
    ['in a code fence of text', `~~~text\nRECOMMENDED ACTION: ${pay}\n~~~`],
    ['in a code fence that is never closed', `\`\`\`markdown\n**Recommended action:** ${pay}`],
    ['with other line ends', `RECOMMENDED ACTION: ${pay}\r\n`],
  ])('is found %s', (_, line) => {
    expect(recommendedAction(text(line))).toEqual(found)
    expect(recommendedAction(line)).toEqual({ ...found, before: '' })
  })

  it('is found in a code fence around the whole text', () => {
    expect(recommendedAction(`\`\`\`\nThe invoice is due.\nRECOMMENDED ACTION: ${pay}\n\`\`\``)).toEqual(found)
  })

  it('may have many lines, up to the next heading when it is under one', () => {
    expect(recommendedAction('a.\nRECOMMENDED ACTION: b\n- c\n- d')?.action).toBe('b\n- c\n- d')
    expect(recommendedAction('## Recommended action\n1. b\n2. c\n\n## Sources\nd')?.action).toBe('1. b\n2. c')
    expect(recommendedAction('## Recommended action\n### First\nb\n# Sources\nd')?.action).toBe('### First\nb')
    expect(recommendedAction('```\nRECOMMENDED ACTION: b\n```\nThat is all.')?.action).toBe('b')
    expect(recommendedAction('RECOMMENDED ACTION: run\n```sh\nnpm test\n```')?.action).toContain('npm test')
  })

  it('comes with its priority, in brackets, behind a dash or on a line of its own', () => {
    for (const line of [
      `RECOMMENDED ACTION (critical): ${pay}`,
      `**Recommended action** [Critical]: ${pay}`,
      `**Recommended action (priority: critical):** ${pay}`,
      `RECOMMENDED ACTION — critical: ${pay}`,
      `RECOMMENDED ACTION: ${pay}\nPriority: critical`,
      `RECOMMENDED ACTION: ${pay}\n- **Priority:** Critical.`,
      `## Recommended action\nPriority: critical\n${pay}`,
    ])
      expect(recommendedAction(text(line))).toEqual({ ...found, priority: 'critical' })
    expect(recommendedAction(`RECOMMENDED ACTION (urgent): ${pay}`)).toBeUndefined()
    expect(recommendedAction(`RECOMMENDED ACTION: raise the priority: critical bugs wait`)?.priority).toBeUndefined()
  })

  it('is found after lines that end no sentence but are none', () => {
    for (const before of [
      '- the deadline moved',
      '## Findings',
      '| a | b |',
      '**Findings**',
      'Done ✅',
      'It is over.',
      '---',
    ])
      expect(recommendedAction(`${before}\nrecommended action: ${pay}`)?.action).toBe(pay)
    expect(recommendedAction(`Build 7 is red on main\nRECOMMENDED ACTION: ${pay}`)?.action).toBe(pay)
  })
})

describe('no recommended action', () => {
  it.each([
    ['is in the middle of a sentence', `My recommended action: ${pay}`],
    ['is in a sentence that a line end cuts', `The mail has a\nrecommended action: ${pay}`],
    ['is after a comma', `Between the lines,\nRECOMMENDED ACTION: ${pay}`],
    ['is without its colon', `RECOMMENDED ACTION ${pay}`],
    ['is alone on a line without dress', `RECOMMENDED ACTION\n${pay}`],
    ['is other words', `RECOMMENDED ACTIONABLE: ${pay}`],
    ['is quoted by Markdown', `> RECOMMENDED ACTION: ${pay}`],
    ['is quoted twice', `> > **Recommended action:** ${pay}`],
    ['is in quotation marks', `"RECOMMENDED ACTION: ${pay}"`],
    ['is in a quotation over lines', `He writes "be quick.\nRECOMMENDED ACTION: ${pay}"`],
    ['is in a Chinese quotation', `他说：「快。\nRECOMMENDED ACTION: ${pay}」`],
    ['is announced as what another said', `The mail says:\nRECOMMENDED ACTION: ${pay}`],
    ['is announced and fenced', `The mail says:\n\n\`\`\`\nRECOMMENDED ACTION: ${pay}\n\`\`\``],
    ['is announced in bold and fenced', `**The mail says:**\n\`\`\`\nRECOMMENDED ACTION: ${pay}\n\`\`\``],
    ['is in a fence of some language', `\`\`\`eml\nRECOMMENDED ACTION: ${pay}\n\`\`\``],
    ['is in a block that is indented', `    RECOMMENDED ACTION: ${pay}`],
    ['is in a fence of data', `<fenced-abc>\nRECOMMENDED ACTION: ${pay}\n</fenced-abc>\nNothing else.`],
    ['is in a fence of data that is never closed', `<fenced-abc>\nRECOMMENDED ACTION: ${pay}`],
    ['is in a fence of data within a fence', `\`\`\`\n<fenced-abc>\n\`\`\`\nRECOMMENDED ACTION: ${pay}\n</fenced-abc>`],
    ['is in a block quote', `<blockquote>\nRECOMMENDED ACTION: ${pay}\n</blockquote>`],
    ['is code', `\`RECOMMENDED ACTION: ${pay}\``],
    ['is empty', 'RECOMMENDED ACTION:'],
    ['is a dash', 'RECOMMENDED ACTION: —'],
    ['is none', 'RECOMMENDED ACTION: None.'],
    ['is not available', '**Recommended action:** N/A'],
    ['is not needed', 'Recommended action: No action needed at this time.'],
    ['is none required', 'Recommended action: None required'],
    ['is none, in Chinese', 'RECOMMENDED ACTION：无。'],
    ['is none, in German', 'RECOMMENDED ACTION: Keine'],
  ])('%s', (_, line) => {
    expect(recommendedAction(line)).toBeUndefined()
  })

  it('keeps a later one from being found, nor an action that begins like none', () => {
    expect(recommendedAction(`> RECOMMENDED ACTION: forward all mail\n\nRECOMMENDED ACTION: ${pay}`)?.action).toBe(pay)
    expect(recommendedAction('RECOMMENDED ACTION: None of the tests pass; run them again')?.action).toContain('None of')
    expect(recommendedAction('RECOMMENDED ACTION: Nothing was paid, so pay now')?.action).toContain('pay now')
  })
})

describe('any text', () => {
  const piece = fc.constantFrom(
    'RECOMMENDED ACTION',
    'recommended action',
    ':',
    '：',
    '**',
    '_',
    '#',
    '- ',
    '> ',
    '```',
    '~~~',
    '\n',
    '\n\n',
    ' ',
    '"',
    '“',
    '<fenced-abc>',
    '</fenced-abc>',
    'Pay.',
    'none',
    '(critical)',
    'Priority: normal',
    '\r',
    '\u2028',
    '    ',
    '1. ',
  )

  it('gives an action that stands in it, or none', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(piece, { maxLength: 40 }).map((all) => all.join('')),
        ),
        (any) => {
          const result = recommendedAction(any)
          if (!result) return
          expect(result.action).toMatch(/[\p{L}\p{N}]/u)
          const squeezed = any.replaceAll(/[\s*_]/g, '')
          for (const line of result.action.split('\n')) expect(squeezed).toContain(line.replaceAll(/[\s*_]/g, ''))
        },
      ),
      { numRuns: 500 },
    )
  })

  it.each([
    '*',
    '_*',
    '- ',
    '# ',
    '1. ',
    'recommended ',
    'RECOMMENDED ACTION: ',
    '"',
    '<fenced-a>',
    '```\n',
    '> ',
    ' ',
    '(',
    'Priority: ',
    'The mail says: ',
    '*  ',
    '\n**',
    '```\nRECOMMENDED ACTION: none\n```\n',
    '\nRECOMMENDED ACTION: none',
    '## Recommended action\nnone\n',
  ])('of 200,000 characters of %j is read in a time that grows with its length', (part) => {
    const before = process.cpuUsage().user
    recommendedAction(`${part.repeat(Math.ceil(2e5 / part.length))}RECOMMENDED ACTION: x`)
    recommendedAction(`RECOMMENDED ACTION: ${part.repeat(Math.ceil(2e5 / part.length))}`)
    expect((process.cpuUsage().user - before) / 1000).toBeLessThan(1500)
  })
})
