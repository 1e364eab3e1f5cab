import { endOfLine, endOfValue, readKey, type Span, skipBlanks, skipVoid } from './toml-scan.ts'

/** The line `[a.b]` or `[[a.b]]`; `line` is the whole of it with its line end. */
export interface Header {
  path: string[]
  list: boolean
  name: Span
  line: Span
}

/** A key with its value, on a line of its own or in an inline table. */
export interface Entry {
  /** From the top of the document. */
  path: string[]
  key: Span
  value: Span
  /** The header it stands under; undefined above the first one. */
  header: Header | undefined
  /** The entry whose value is the inline table it stands in. */
  within: Entry | undefined
}

/** Where everything stands in a TOML document, in the order of the text. */
export interface TomlMap {
  headers: Header[]
  entries: Entry[]
}

/** Maps a text that is known to parse. */
export const mapToml = (text: string): TomlMap => {
  const headers: Header[] = []
  const entries: Entry[] = []

  const readEntry = (start: number, above: string[], header: Header | undefined, within: Entry | undefined): Entry => {
    const key = readKey(text, start)
    const from = skipBlanks(text, skipBlanks(text, key.end) + 1)
    const entry: Entry = {
      path: [...above, ...key.path],
      key: { start, end: key.end },
      value: { start: from, end: endOfValue(text, from) },
      header,
      within,
    }
    entries.push(entry)
    if (text[from] === '{') readInlineTable(entry)
    return entry
  }

  const readInlineTable = (table: Entry): void => {
    let at = skipVoid(text, table.value.start + 1)
    while (at < table.value.end - 1) {
      const { value } = readEntry(at, table.path, table.header, table)
      const comma = skipVoid(text, value.end)
      at = skipVoid(text, comma + 1)
    }
  }

  let at = skipVoid(text, text.startsWith('\uFEFF') ? 1 : 0)
  while (at < text.length) {
    if (text[at] === '[') {
      const list = text[at + 1] === '['
      const start = skipBlanks(text, at + (list ? 2 : 1))
      const { path, end } = readKey(text, start)
      headers.push({ path, list, name: { start, end }, line: { start: at, end: endOfLine(text, end) } })
      at = skipVoid(text, endOfLine(text, end))
    } else {
      const header = headers.at(-1)
      const entry = readEntry(at, header?.path ?? [], header, undefined)
      at = skipVoid(text, Math.max(entry.value.end, at + 1))
    }
  }
  return { headers, entries }
}

/** 1 for the first line and the first character of a line; a byte order mark counts as nothing. */
export const lineAndColumn = (text: string, offset: number): { line: number; column: number } => {
  const before = text.slice(text.startsWith('\uFEFF') ? 1 : 0, offset)
  const start = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: before.length - start + 1 }
}
