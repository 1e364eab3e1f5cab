import { parse } from 'smol-toml'

/*
 * Finds where things end in a TOML text. Everything here relies on the text having been parsed before: it tells no valid
 * text from an invalid one, though it always comes to an end. Offsets are UTF-16 units, ends are exclusive.
 */

export interface Span {
  start: number
  end: number
}

/** Past blanks on the same line. */
export const skipBlanks = (text: string, start: number): number => {
  let at = start
  while (text[at] === ' ' || text[at] === '\t') at++
  return at
}

export const endOfLine = (text: string, start: number): number => {
  const at = text.indexOf('\n', start)
  return at < 0 ? text.length : at + 1
}

/** Past blanks, line ends and comments. */
export const skipVoid = (text: string, start: number): number => {
  let at = start
  for (;;) {
    const char = text[at]
    if (char === '#') at = endOfLine(text, at)
    else if (char === ' ' || char === '\t' || char === '\n' || char === '\r') at++
    else return at
  }
}

export const endOfString = (text: string, start: number): number => {
  const quote = text[start] ?? ''
  const long = text.startsWith(quote.repeat(3), start)
  let at = start + (long ? 3 : 1)
  while (at < text.length) {
    if (quote === '"' && text[at] === '\\') at += 2
    else if (!long && text[at] === quote) return at + 1
    else if (long && text.startsWith(quote.repeat(3), at)) {
      at += 3
      // Up to two quotes right before the closing three belong to the string.
      if (text[at] === quote) at++
      return text[at] === quote ? at + 1 : at
    } else at++
  }
  return text.length
}

/** Strings, lists and inline tables to their last character; anything else without the blanks behind it. */
export const endOfValue = (text: string, start: number): number => {
  let depth = 0
  let at = start
  while (at < text.length) {
    const char = text[at]
    if (char === '#') at = endOfLine(text, at)
    else if (char === '"' || char === "'") at = endOfString(text, at)
    else if (char === '[' || char === '{') {
      depth++
      at++
    } else if (char === ']' || char === '}') {
      depth--
      at++
    } else if (depth === 0) return endOfScalar(text, at)
    else {
      at++
      continue
    }
    if (depth <= 0) return at
  }
  return text.length
}

const endOfScalar = (text: string, start: number): number => {
  let at = start
  while (at < text.length && !'\r\n#,]}'.includes(text[at] ?? '')) at++
  while (at > start && (text[at - 1] === ' ' || text[at - 1] === '\t')) at--
  return at
}

/** A dotted key from its first character; `end` is that of its last part. */
export const readKey = (text: string, start: number): { path: string[]; end: number } => {
  const path: string[] = []
  let at = start
  for (;;) {
    const from = at
    const quoted = text[at] === '"' || text[at] === "'"
    if (quoted) at = endOfString(text, at)
    else while (/[A-Za-z0-9_-]/.test(text[at] ?? '')) at++
    path.push(quoted ? unquote(text.slice(from, at)) : text.slice(from, at))
    const dot = skipBlanks(text, at)
    if (text[dot] !== '.') return { path, end: at }
    at = skipBlanks(text, dot + 1)
  }
}

const unquote = (quoted: string): string => {
  const { key } = parse(`key = ${quoted}`)
  return typeof key === 'string' ? key : ''
}

/** An element of a list; `comma` is where the comma behind it stands. */
export interface ListItem extends Span {
  comma: number | undefined
}

/** The elements of the list whose opening bracket is at `start`. */
export const listItems = (text: string, start: number): ListItem[] => {
  const items: ListItem[] = []
  let at = skipVoid(text, start + 1)
  while (at < text.length && text[at] !== ']') {
    const end = endOfValue(text, at)
    const next = skipVoid(text, end)
    const comma = text[next] === ',' ? next : undefined
    items.push({ start: at, end, comma })
    at = skipVoid(text, comma === undefined ? next : next + 1)
    if (comma === undefined) break
  }
  return items
}
