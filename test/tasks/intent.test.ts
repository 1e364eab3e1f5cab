import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { effectsOf, intentByRule } from '../../src/tasks/intent.ts'

const cases = ['intent.tsv', 'intent-more.tsv'].flatMap((file) =>
  readFileSync(new URL(`../cases/${file}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.split('\t') as [string, string]),
)

describe('the intent of a title', () => {
  it.each(cases)('"%s" is %s', (title, intent) => {
    expect(intentByRule(title)).toBe(intent)
  })

  it('does not depend on marks, emoji, capitals or white space around the words', () => {
    for (const title of [
      '  send the digest to Anna  ',
      '**Send** the digest to Anna.',
      '📨 Send the digest to Anna',
      '- [ ] send the digest to Anna!',
      'SEND THE DIGEST TO ANNA',
      '“Send the digest to Anna”',
    ])
      expect(intentByRule(title)).toBe('write')
    for (const title of ['', ' ', '…', '?', '📨', '“”', '把', '请', '、，。', 'please', 'and'])
      expect(intentByRule(title)).toBe('read')
  })

  it('is read when write words stand anywhere but at the head of a clause', () => {
    const word = fc.constantFrom('send', 'delete', 'pay', 'email', 'book', 'archive', 'cancel', 'update')
    const frame = fc.constantFrom(
      (a: string, b: string) => `Summarize what we ${a} and ${b} each week`,
      (a: string, b: string) => `Check who may ${a} or ${b} the files`,
      (a: string, b: string) => `Look for “${a} it and ${b} it” in the mail`,
      (a: string, b: string) => `Never ${a} or ${b} anything`,
      (a: string, b: string) => `Tell me how to ${a} and ${b} the files`,
    )
    fc.assert(
      fc.property(word, word, frame, (a, b, say) => {
        expect(intentByRule(say(a, b))).toBe('read')
      }),
    )
  })

  it('is found for any text, in time that grows with its length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 500 }), (text) => {
        expect(['read', 'write']).toContain(intentByRule(text))
        expect(Array.isArray(effectsOf(text))).toBe(true)
      }),
    )
    const before = performance.now()
    for (const piece of [
      'and ',
      ', ',
      'every ',
      'on 1 ',
      'if ',
      'please ',
      'send it and ',
      '如果',
      '每天',
      '把发送',
      '“',
      '"',
      '. ',
      'a.',
      'in a.md ',
      'keep a list ',
      'let a know ',
    ])
      intentByRule(piece.repeat(Math.ceil(500 / piece.length)))
    expect(performance.now() - before).toBeLessThan(3000)
  })
})

describe('the effects of a title', () => {
  const append = (target: string) => [{ tool: 'append_file', target }]
  const write = (target: string) => [{ tool: 'write_file', target }]
  const notify = [{ tool: 'notify', target: 'user' }]

  it.each([
    ['Append new words to NOTES.md', append('NOTES.md')],
    ['Every evening, note decisions and action items in `docs/AGENDA.md`.', append('docs/AGENDA.md')],
    ['Check mail and append new invoices to invoices.csv', append('invoices.csv')],
    ['Write the highlights in JOURNAL.md', append('JOURNAL.md')],
    ['Add the new terms to the file glossary.md', append('glossary.md')],
    ['在 `NOTES.md` 中记录今天的决定', append('NOTES.md')],
    ['把要点追加到笔记/本周.md', append('笔记/本周.md')],
    ['Notiere Entscheidungen in NOTIZEN.md', append('NOTIZEN.md')],
    ['Führe eine Liste der Bücher in buecher.md', [...write('buecher.md'), ...append('buecher.md')]],
    ['Halte Beschlüsse in beschluesse.md fest', append('beschluesse.md')],
    ['Füge neue Wörter zu glossar.md hinzu', append('glossar.md')],
    ['Write a summary to reports/week.md', write('reports/week.md')],
    ['Update README.md', write('README.md')],
    ['Update the table in STATUS.md', write('STATUS.md')],
    ['Keep README.md up to date', write('README.md')],
    ['Summarize the week into WEEK.md', write('WEEK.md')],
    ['Save the list to lists/open.csv and tell me', [...write('lists/open.csv'), ...notify]],
    ['更新 README.md', write('README.md')],
    ['把摘要写入 SUMMARY.md', write('SUMMARY.md')],
  ])('%s: a change of the file that it names', (title, effects) => {
    expect(effectsOf(title)).toEqual(effects)
    expect(intentByRule(title)).toBe('write')
  })

  it.each([
    'Tell me which meetings were moved',
    'If the certificate expires, notify me',
    'Notify me when the build is red and tell me why',
    'Let me know who cancelled',
    'Keep me posted about the launch',
    'Remind me to pay the rent',
    'Send me a summary of the week',
    'Watch the tracker and tell me what moved',
    '有新的付款时告诉我',
    '提醒我支付房租',
    '把摘要发给我',
    'Benachrichtige mich bei neuen Angeboten',
    'Gib mir Bescheid, wenn Anna antwortet',
  ])('%s: telling the user, and that once', (title) => {
    expect(effectsOf(title)).toEqual(notify)
    expect(intentByRule(title)).toBe('read')
  })

  it.each([
    'Keep an eye on `status.md`',
    'Summarize the changes in CHANGELOG.md',
    'Write a summary of the changes in CHANGELOG.md',
    'Keep an eye on the list in status.md',
    'Email the team',
    'Never append to NOTES.md',
    'Find mails that say “append this to NOTES.md”',
    '总结写在 NOTES.md 里的决定',
    'Notify the team',
    'Show me the numbers',
    'Delete old.md',
  ])('%s: none', (title) => {
    expect(effectsOf(title)).toEqual([])
  })

  it('never name a file outside the workspace, a hidden one, an address, or one that steers undermind', () => {
    for (const path of [
      '/etc/motd.md',
      '../up.md',
      'a/../../up.md',
      '~/notes.md',
      'C:\\notes.md',
      '.env',
      '.undermind/state.db',
      'x/.git/config.txt',
      'https://example.org/a.md',
      'example.com',
      'anna@example.org',
      'HEARTBEAT.md',
      'sub/heartbeat.MD',
      'undermind.toml',
      '1.2',
      'notes',
      'v2.0',
      '//server/a.md',
    ])
      expect(effectsOf(`Append the result to ${path}`)).toEqual([])
  })
})
