import { decodeText } from './text.ts'

interface MailHeader {
  /** In lower case. */
  name: string
  /** On one line. */
  value: string
  /** As they stand in the file; more than one when it is folded. */
  lines: string[]
}

export interface MailHead {
  headers: MailHeader[]
  /** Where the body begins. */
  end: number
  /** Whether the body is text that anybody can read as it stands. */
  isPlain: boolean
  charset: string | null
}

const mostHeadBytes = 65_536
const expected = new Set(['from', 'to', 'subject', 'date', 'message-id', 'received', 'mime-version'])

/** Where the empty line after the headers ends; all of it when there is none. */
const endOfHead = (bytes: Buffer): number => {
  const ends = ['\n\n', '\n\r\n']
    .map((gap) => ({ at: bytes.indexOf(gap), length: gap.length }))
    .filter(({ at }) => at >= 0)
  const first = ends.sort((a, b) => a.at - b.at)[0]
  return first === undefined ? bytes.length : first.at + first.length
}

const headersIn = (head: string): MailHeader[] => {
  const headers: MailHeader[] = []
  for (const line of head.split('\n')) {
    const last = headers.at(-1)
    if (/^[ \t]/.test(line)) {
      if (last && line.trim() !== '') {
        last.lines.push(line)
        last.value += ` ${line.trim()}`
      }
      continue
    }
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).trimEnd()
    if (/^[!-9;-~]+$/.test(name))
      headers.push({ name: name.toLowerCase(), value: line.slice(colon + 1).trim(), lines: [line] })
  }
  return headers
}

export const headerOf = (head: Pick<MailHead, 'headers'>, wanted: string): string | null =>
  head.headers.find(({ name }) => name === wanted)?.value ?? null

/** The headers of a mail, or null when there is none of those that every mail has. */
export const mailHead = (bytes: Buffer): MailHead | null => {
  const end = endOfHead(bytes)
  if (end > mostHeadBytes) return null
  const headers = headersIn(decodeText(bytes.subarray(0, end)))
  if (!headers.some(({ name }) => expected.has(name))) return null
  const type = headerOf({ headers }, 'content-type') ?? 'text/plain'
  const encoding = headerOf({ headers }, 'content-transfer-encoding') ?? '7bit'
  return {
    headers,
    end,
    isPlain: /^text\/plain\b/i.test(type) && /^(7bit|8bit|binary)\b/i.test(encoding),
    charset: /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(type)?.[1] ?? null,
  }
}
