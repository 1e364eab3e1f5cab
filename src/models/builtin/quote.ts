/** Longest quote, in characters; a longer line is quoted by its beginning. */
const longestQuote = 500

/** Controls (but not tab), bidirectional and invisible characters, lone surrogates: nothing that may act on a screen. */
const unsafe =
  /(?:(?!\t)\p{Cc}|[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Cs})+/u
const everyUnsafe = new RegExp(unsafe.source, 'gu')

export interface Quote {
  /** Stands in its line character by character. */
  text: string
  /** False when the line has more than is quoted. */
  whole: boolean
}

/** The part of a line that can be shown as it stands: all of it, or the longest run without unsafe characters, cut to size. */
export function quoteOf(line: string, longest = longestQuote): Quote {
  const trimmed = line.trim()
  const text = cut(longestRun(trimmed), longest).trim()
  return { text, whole: text === trimmed }
}

function longestRun(text: string): string {
  if (!unsafe.test(text)) return text
  return text.split(unsafe).reduce((best, run) => (run.trim().length > best.trim().length ? run : best), '')
}

/** A line without the mark of a list or heading, or the word "Subject:", before it; what is left stands in the line. */
export const withoutMark = (line: string): string =>
  line.trim().replace(/^(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?|^#{1,6}\s+|^subject\s*:\s*/i, '')

/** A beginning of the text that does not end within a surrogate pair. */
export function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  const last = text.charCodeAt(longest - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? longest - 1 : longest)
}

/** A name that is shown but not quoted, its unsafe characters made visible. */
export const visible = (name: string): string =>
  cut(
    name.replace(everyUnsafe, (run) =>
      [...run].map((character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`).join(''),
    ),
    200,
  )
