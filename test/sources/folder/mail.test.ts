import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mailFrom } from '../../../src/sources/folder/mail.ts'

const letter = (...lines: string[]) => Buffer.from(lines.join('\r\n'))

const read = async (...lines: string[]) => {
  const message = await mailFrom(letter(...lines))
  if (message === null) throw new Error('taken for no mail')
  return message
}

describe('mail', () => {
  it('has subject, author and time from its headers, and each line of its body as the file has it', async () => {
    const lines = [
      'From: Mara Lind <mara@example.org>',
      'Subject: Reminder: review due 3 April',
      'Date: Wed, 1 Apr 2026 09:30:00 +0200',
      '',
      'The review is due on 3 April.',
      '',
      '  Indented, with a = sign and a trailing space ',
    ]
    expect(await read(...lines)).toEqual({
      title: 'Reminder: review due 3 April',
      author: '"Mara Lind" <mara@example.org>',
      time: Date.UTC(2026, 3, 1, 7, 30),
      body: [lines[1], ...lines.slice(4)].join('\n'),
    })
  })

  it('keeps a folded subject as it is folded in the body and on one line in the title', async () => {
    const mail = await read('From: a@example.org', 'Subject: one', ' two', 'Date: x', '', 'body')
    expect(mail.title).toBe('one two')
    expect(mail.body).toBe('Subject: one\n two\nbody')
  })

  it('decodes what nobody could read: an encoded subject, an encoded name', async () => {
    const mail = await read(
      'From: =?utf-8?q?J=C3=B6rg?= <j@example.org>',
      'Subject: =?utf-8?b?R3LDvMOfZQ==?=',
      '',
      'Hi',
    )
    expect(mail.title).toBe('Grüße')
    expect(mail.author).toContain('Jörg')
    expect(mail.body).toBe('Subject: Grüße\nHi')
  })

  it.each([
    ['quoted-printable', 'Gr=C3=BC=C3=9Fe'],
    ['base64', 'R3LDvMOfZQ=='],
  ])('decodes a body in %s', async (encoding, body) => {
    const mail = await read(
      'Subject: x',
      'Content-Type: text/plain; charset=utf-8',
      `Content-Transfer-Encoding: ${encoding}`,
      '',
      body,
    )
    expect(mail.body.trimEnd()).toBe('Subject: x\nGrüße')
  })

  it('reads a body in the encoding that the mail names', async () => {
    const head = letter(
      'Subject: x',
      'Content-Type: text/plain; charset="ISO-8859-1"',
      'Content-Transfer-Encoding: 8bit',
      '',
      '',
    )
    expect((await mailFrom(Buffer.concat([head, Buffer.from('Grüße', 'latin1')])))?.body).toBe('Subject: x\nGrüße')
    const odd = letter('Subject: x', 'Content-Type: text/plain; charset=martian', '', 'Grüße')
    expect((await mailFrom(odd))?.body).toBe('Subject: x\nGrüße')
  })

  it('takes the plain part of a mail in several parts, and names the attachments without reading them', async () => {
    const mail = await read(
      'Subject: Parts',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: multipart/alternative; boundary=c',
      '',
      '--c',
      'Content-Type: text/plain',
      '',
      'The plain words',
      '--c',
      'Content-Type: text/html',
      '',
      '<p>The other words</p>',
      '--c--',
      '--b',
      'Content-Type: text/csv; name="numbers.csv"',
      'Content-Disposition: attachment; filename="numbers.csv"',
      '',
      'secret,numbers',
      '--b--',
    )
    expect(mail.body.split('\n').filter((line) => line !== '')).toEqual([
      'Subject: Parts',
      'The plain words',
      'Attachment: numbers.csv',
    ])
  })

  it('takes the words of HTML when there is nothing else, and none of HTML that is very long', async () => {
    const html = (body: string) => read('Subject: x', 'Content-Type: text/html', '', body)
    expect((await html('<style>p { color: red }</style><p>Hello <b>you</b></p>')).body).toBe('Subject: x\nHello you')
    expect((await html(`<p>${'long '.repeat(30_000)}</p>`)).body).toBe('Subject: x\n')
  })

  it.each([
    ['Wed, 1 Apr 2026 09:30:00 GMT', Date.UTC(2026, 3, 1, 9, 30)],
    ['Wed, 1 Apr 2026 09:30:00 +0200 (CEST)', Date.UTC(2026, 3, 1, 7, 30)],
    ['Wed, 1 Apr 2026 09:30:00', Date.UTC(2026, 3, 1, 9, 30)],
    ['2026-04-01T09:30:00Z', Date.UTC(2026, 3, 1, 9, 30)],
    ['Wed, 1 Apr 2026 99:30:00 +0000', null],
    ['yesterday 12', null],
    ['', null],
  ])('understands the date %j as %j', async (date, time) => {
    expect((await read('Subject: x', `Date: ${date}`, '', 'body')).time).toBe(time)
  })

  it('has neither title nor author nor time when the headers do not say', async () => {
    expect(await read('To: me@example.org', '', 'body')).toEqual({
      title: null,
      author: null,
      time: null,
      body: 'body',
    })
  })

  it('is not what merely has the name of one', async () => {
    expect(await mailFrom(letter('Just: words', 'and more', '', 'words'))).toBeNull()
    expect(await mailFrom(letter('Subject: x', ...Array(9000).fill('X-More: y'), '', 'words'))).toBeNull()
    expect(await mailFrom(Buffer.alloc(0))).toBeNull()
  })

  it('comes to an end whatever the bytes are', async () => {
    const line = fc.constantFrom(
      'Subject: =?x?q?=',
      'From: <<>,,;:',
      'Date: 99',
      'Content-Type: multipart/mixed; boundary=b',
      'Content-Type: message/rfc822',
      'Content-Type: text/html; charset=utf-7',
      'Content-Transfer-Encoding: base64',
      '',
      '--b',
      '--b--',
      '<p><div><table>',
      ' folded',
    )
    const mail = fc.oneof(
      fc.array(line, { maxLength: 20 }).map((lines) => Buffer.from(lines.join('\n'))),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.concat([Buffer.from('Subject: x\n'), bytes])),
    )
    await fc.assert(
      fc.asyncProperty(mail, async (bytes) => {
        const message = await mailFrom(bytes)
        expect(message === null || typeof message.body === 'string').toBe(true)
      }),
      { numRuns: 200 },
    )
  })
})
