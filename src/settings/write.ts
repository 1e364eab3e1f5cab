import { isDeepStrictEqual } from 'node:util'
import { Fault } from '../domain/errors.ts'
import type { JSONType } from '../domain/json.ts'
import { applyEdits, type Edit, editList } from './edit-list.ts'
import { settingKey } from './keys.ts'
import { problemsIn } from './layer.ts'
import { parseToml } from './read.ts'
import { at, emptyTable, put, startsWith, type Table } from './table.ts'
import { type Entry, type Header, mapToml, type TomlMap } from './toml-map.ts'
import { printValue } from './toml-print.ts'
import { endOfLine, skipBlanks } from './toml-scan.ts'
import { visible } from './visible.ts'

/** A document that is being edited. */
interface Document extends TomlMap {
  text: string
  eol: string
  path: readonly string[]
  value: JSONType
}

const samePath = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && startsWith(one, other)

const replaceValue = ({ text, entries, eol, path, value }: Document, old: Table): Edit[] | undefined => {
  const entry = entries.find((one) => samePath(one.path, path))
  if (entry === undefined) return undefined
  const { start, end } = entry.value
  const before = at(old, path)
  if (Array.isArray(before) && Array.isArray(value) && text.slice(start, end).includes('\n')) {
    return editList(text, start, before, value, eol)
  }
  return [{ start, end, text: printValue(value) }]
}

/** `parent = { a = 1 }` becomes `parent = { a = 1, b = 2 }`. */
const intoInlineTable = ({ text, entries, path, value }: Document): Edit[] | undefined => {
  const table = entries
    .filter((one) => startsWith(path, one.path) && text[one.value.start] === '{')
    .sort((a, b) => b.path.length - a.path.length)[0]
  if (table === undefined) return undefined
  const pair = `${path.slice(table.path.length).join('.')} = ${printValue(value)}`
  const last = entries.filter((one) => one.within === table).at(-1)
  if (last !== undefined) return [{ start: last.value.end, end: last.value.end, text: `, ${pair}` }]
  const start = table.value.start + 1
  return [{ start, end: start, text: text[start] === '}' ? ` ${pair} ` : ` ${pair}` }]
}

/** A line of its own below the line that ends at or after `above`. */
const lineBelow = ({ text, eol, value }: Document, above: number, indent: string, key: string): Edit[] => {
  const start = endOfLine(text, above)
  const gap = text[start - 1] === '\n' ? '' : eol
  return [{ start, end: start, text: `${gap}${indent}${key} = ${printValue(value)}${eol}` }]
}

const indentOf = (text: string, { key }: Entry): string => /[ \t]*$/.exec(text.slice(0, key.start))?.[0] ?? ''

/** `parent.a = 1` gets `parent.b = 2` below it: TOML lets no other place add to a table that was made this way. */
const besideDotted = (document: Document): Edit[] | undefined => {
  const { text, entries, path } = document
  const parent = path.slice(0, -1)
  const above = (one: Entry): number => one.header?.path.length ?? 0
  const last = entries.findLast(
    (one) => one.within === undefined && above(one) < parent.length && startsWith(one.path, parent),
  )
  if (last === undefined) return undefined
  return lineBelow(document, last.value.end, indentOf(text, last), path.slice(above(last)).join('.'))
}

/** Where the key stands in a comment, as in a template: `# interval_minutes = 5`. */
const commentedOut = ({ text, entries, headers }: Document, header: Header, key: string): number | undefined => {
  const end = headers[headers.indexOf(header) + 1]?.line.start ?? text.length
  const line = new RegExp(`^[ \\t]*#[ \\t]*${key}[ \\t]*=`, 'gm')
  for (const { index } of text.slice(header.line.end, end).matchAll(line)) {
    const start = header.line.end + index
    if (!entries.some(({ value }) => value.start <= start && start < value.end)) return start
  }
  return undefined
}

const underHeader = (document: Document): Edit[] | undefined => {
  const { text, headers, entries, path } = document
  const key = path.at(-1) ?? ''
  const header = headers.find((one) => !one.list && samePath(one.path, path.slice(0, -1)))
  if (header === undefined) return undefined
  const comment = commentedOut(document, header, key)
  if (comment !== undefined) {
    return lineBelow(document, comment, text.slice(comment, skipBlanks(text, comment)), key)
  }
  const last = entries.findLast((one) => one.header === header && one.within === undefined)
  if (last === undefined) return lineBelow(document, header.name.end, '', key)
  return lineBelow(document, last.value.end, indentOf(text, last), key)
}

const inNewTable = ({ text, eol, path, value }: Document): Edit[] => {
  const bare = text === '' || text === '\uFEFF'
  const gap = bare ? '' : text.endsWith('\n') ? eol : eol + eol
  const table = `${gap}[${path.slice(0, -1).join('.')}]${eol}${path.at(-1)} = ${printValue(value)}${eol}`
  return [{ start: text.length, end: text.length, text: table }]
}

const refuse = (key: string, why: string): Fault =>
  Fault.use('settings/cannot-edit', `Cannot set ${key} in this file: ${why}. Change it by hand.`, { key })

/** Checks what the whole edit rests on: the same document but for one value. */
const check = (before: Table, text: string, { path, value }: Document): void => {
  const key = path.join('.')
  if (!put(before, path, value)) throw refuse(key, 'something in it has the name of a table and is none')
  try {
    if (isDeepStrictEqual(before, parseToml(text, 'the edited settings'))) return
  } catch (error) {
    if (!(error instanceof Fault)) throw error
  }
  throw refuse(key, 'the change would touch more than this setting')
}

const accept = (key: string, path: readonly string[], value: JSONType): void => {
  const values = emptyTable()
  put(values, path, value)
  const place = { name: 'the new value' }
  const problems = problemsIn({ origin: 'command line', name: place.name, values, place: () => place })
  if (problems.length === 0 && settingKey(key) !== undefined) return
  const why = problems[0]?.sentence ?? 'It is a table of settings: name one setting of it.'
  throw Fault.use('settings/invalid', `Cannot set ${visible(key)}. ${why}`, { problems })
}

/**
 * Sets one setting in the text of a settings file: edits the text and leaves comments, order, blank lines and line ends
 * alone. Throws `settings/invalid` for an unknown key or a value it may not hold, `settings/syntax` when the text is no
 * TOML, `settings/cannot-edit` when the result would not be the same settings with this one changed.
 */
export const setSetting = (fileText: string, key: string, value: JSONType): string => {
  const path = settingKey(key)?.path ?? key.split('.')
  accept(key, path, value)
  const before = parseToml(fileText, 'the settings file')
  if (isDeepStrictEqual(at(before, path), value)) return fileText
  const eol = /\r?\n/.exec(fileText)?.[0] ?? '\n'
  const document: Document = { ...mapToml(fileText), text: fileText, eol, path, value }
  const edits =
    replaceValue(document, before) ??
    intoInlineTable(document) ??
    besideDotted(document) ??
    underHeader(document) ??
    inNewTable(document)
  const edited = applyEdits(fileText, edits)
  check(before, edited, document)
  return edited
}
