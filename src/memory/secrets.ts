import { withoutCredentials } from './credentials.ts'

/** A line as it may be shown: `shown` is the line itself where nothing in it is secret, and null where nothing of it is left. */
export interface MaskedLine {
  raw: string
  shown: string | null
}

const keyMark = '[private key left out]'

const begins = /-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/
const ends = /-----END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/

const mayBeKey = (line: string): boolean => line.includes('-----BEGIN ') || (line.length >= 60 && hasLongRun.test(line))
const hasLongRun = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{60}/

/** What may stand between the first and the last line of a key: its text, headers, nothing. */
const inKey = /^(?:[A-Za-z0-9+/=]*|[A-Za-z-]{2,30}: .{0,200})$/

/** A full line of a key, as it stands alone in a difference when a key was exchanged for another. */
const keyLine = /^(?=.{0,60}[a-z])(?=.{0,60}[A-Z])(?=.{0,60}[0-9])[A-Za-z0-9+/]{60,}={0,2}$/
const endOfKey = /^(?:[A-Za-z0-9+/]{16,}={0,2}|[A-Za-z0-9+/]{2,}={1,2}|=[A-Za-z0-9+/]{4})$/

/**
 * Lines as they may go to a model: private keys (a block of them leaves one line) and credentials are masked. Errs towards
 * masking; never changes ordinary prose.
 */
export function maskLines(lines: readonly string[]): MaskedLine[] {
  let key: 'none' | 'block' | 'body' = 'none'
  return lines.map((raw) => {
    if (key === 'none' && !mayBeKey(raw)) return { raw, shown: withoutCredentials(raw) }
    const plain = undressed(raw)
    if (begins.test(raw)) {
      key = ends.test(raw) ? 'none' : 'block'
      return { raw, shown: withoutCredentials(raw.replace(/-----BEGIN .*/, keyMark)) }
    }
    if (key === 'block' && ends.test(raw)) {
      key = 'none'
      return { raw, shown: null }
    }
    if (key === 'block' && inKey.test(plain)) return { raw, shown: null }
    if (keyLine.test(plain) || (key === 'body' && endOfKey.test(plain))) {
      const shown = key === 'body' ? null : keyMark
      key = 'body'
      return { raw, shown }
    }
    key = 'none'
    return { raw, shown: withoutCredentials(raw) }
  })
}

/** A line of a key without the marks of quotes, lists and strings that may stand around it. */
const undressed = (line: string): string =>
  line
    .trim()
    .replace(/^[\s>|"']+/, '')
    .replace(/(?:\\[nr]|[\s"',]){1,8}$/, '')

/** A text as it may go to a model, masked line by line. */
export const maskSecrets = (text: string): string =>
  maskLines(text.split('\n'))
    .flatMap(({ shown }) => shown ?? [])
    .join('\n')
