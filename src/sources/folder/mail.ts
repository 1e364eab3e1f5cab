import { headerOf, type MailHead, mailHead } from './mail-head.ts'
import { decodeNamed, decodeText, withPlainLineEnds } from './text.ts'
import { oneLine } from './title.ts'

/** What of a mail becomes an item; `title` is null when it has no subject. */
export interface Message {
  title: string | null
  author: string | null
  time: number | null
  body: string
}

// Turning HTML into text cannot be interrupted and takes a third of a millisecond per kilobyte.
const mostHtml = 100_000

const parse = async (bytes: Buffer) => {
  const { simpleParser } = await import('mailparser')
  try {
    return await simpleParser(bytes, { skipTextToHtml: true, keepCidLinks: true, maxHtmlLengthToParse: mostHtml })
  } catch {
    // What the parser cannot make sense of is still there to be read as it stands.
    return null
  }
}

const isEncoded = (subject: string): boolean => /=\?[^?\s]+\?[bq]\?/i.test(subject)

/** The subject as the file has it, folded lines and all; decoded only when nobody could read it otherwise. */
const subjectLines = (head: MailHead, decoded: string | undefined): string[] => {
  const header = head.headers.find(({ name }) => name === 'subject')
  if (header === undefined) return []
  return isEncoded(header.value) && decoded !== undefined ? [`Subject: ${oneLine(decoded)}`] : header.lines
}

const shape = /\b\d{1,2}\s+[a-z]{3,9}\s+\d{4}\b|^\d{4}-\d{2}-\d{2}/i
const zone = /([+-]\d{2}:?\d{2}|[a-z])$/i

/** Milliseconds of a Date header, or null; without a zone it is read as UTC, so that it means the same everywhere. */
const timeOf = (date: string | null): number | null => {
  const plain = (date ?? '').replaceAll(/\([^()]*\)/g, '').trim()
  // The parser is generous: any number would do for a year.
  if (!shape.test(plain)) return null
  const time = Date.parse(zone.test(plain) ? plain : `${plain} +0000`)
  return Number.isNaN(time) ? null : time
}

const decodePlain = (bytes: Uint8Array, charset: string | null): string => {
  const isUnicode = charset === null || /^(utf-?8|us-ascii)$/i.test(charset)
  const text = isUnicode ? null : decodeNamed(bytes, charset)
  return text === null ? decodeText(bytes) : withPlainLineEnds(text)
}

/**
 * Reads a mail. The body is the subject line and the text. Of a plain mail (7bit or 8bit) every line stands in the
 * file as it is. Of any other the text is what the encoding hides: the plain part, or when there is none the words of
 * the HTML, up to 100,000 characters of it; lines of the former are lines of the file unless it is in quoted-printable
 * or base64. Attachments are named, a line each, and not read. Null when the file is no mail whatever its name says.
 */
export const mailFrom = async (bytes: Buffer): Promise<Message | null> => {
  const head = mailHead(bytes)
  if (head === null) return null
  const parsed = await parse(head.isPlain ? bytes.subarray(0, head.end) : bytes)
  const text =
    head.isPlain || parsed === null ? decodePlain(bytes.subarray(head.end), head.charset) : (parsed.text ?? '')
  const attached = parsed?.attachments.filter(({ related }) => !related) ?? []
  const names = attached.map(({ filename }) => `Attachment: ${oneLine(filename ?? 'without a name')}`)
  const title = oneLine(parsed?.subject ?? headerOf(head, 'subject') ?? '')
  const author = oneLine(parsed?.from?.text ?? headerOf(head, 'from') ?? '')
  return {
    title: title === '' ? null : title,
    author: author === '' ? null : author,
    time: timeOf(headerOf(head, 'date')),
    body: [...subjectLines(head, parsed?.subject), withPlainLineEnds(text), ...names].join('\n'),
  }
}
