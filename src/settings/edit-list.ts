import { isDeepStrictEqual } from 'node:util'
import type { JSONType } from '../domain/json.ts'
import { printValue } from './toml-print.ts'
import { endOfLine, endOfValue, type ListItem, listItems, skipBlanks } from './toml-scan.ts'

/** Puts `text` in the place of what stands from `start` to `end`. */
export interface Edit {
  start: number
  end: number
  text: string
}

const startOfLine = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1

const firstOnItsLine = (text: string, at: number): boolean => skipBlanks(text, startOfLine(text, at)) === at

/** Whether only blanks and a comment follow on the line. */
const lastOnItsLine = (text: string, at: number): boolean => /^[ \t]*(?:#|\r?\n)/.test(text.slice(at, at + 1000))

const indentAt = (text: string, at: number): string => {
  const start = startOfLine(text, at)
  return text.slice(start, skipBlanks(text, start))
}

/** Removes an element with its comma; its comment stays, and its line goes when nothing else is on it. */
const removal = (text: string, { start, end, comma }: ListItem): Edit[] => {
  const apart = comma !== undefined && skipBlanks(text, end) !== comma
  const after = comma === undefined || apart ? end : comma + 1
  const rest = skipBlanks(text, after)
  const first = firstOnItsLine(text, start)
  const alone = first && (text[rest] === '\n' || text.startsWith('\r\n', rest))
  const element = alone
    ? { start: startOfLine(text, start), end: endOfLine(text, rest), text: '' }
    : { start, end: first ? rest : after, text: '' }
  return apart ? [element, { start: comma, end: comma + 1, text: '' }] : [element]
}

const insertionAfter = (text: string, item: ListItem, values: readonly string[], eol: string): Edit[] => {
  const after = item.comma === undefined ? item.end : item.comma + 1
  if (!firstOnItsLine(text, item.start) || !lastOnItsLine(text, after)) {
    return [{ start: item.end, end: item.end, text: values.map((value) => `, ${value}`).join('') }]
  }
  const line = endOfLine(text, after)
  const lines = values.map((value) => `${indentAt(text, item.start)}${value},${eol}`).join('')
  const comma = item.comma === undefined ? [{ start: item.end, end: item.end, text: ',' }] : []
  return [...comma, { start: line, end: line, text: lines }]
}

const insertionBefore = (text: string, { start }: ListItem, values: readonly string[], eol: string): Edit => {
  const gap = firstOnItsLine(text, start) ? `${eol}${indentAt(text, start)}` : ' '
  return { start, end: start, text: values.map((value) => `${value},${gap}`).join('') }
}

const fillingOf = (text: string, start: number, values: readonly string[], eol: string): Edit => {
  const line = startOfLine(text, endOfValue(text, start) - 1)
  const indent = `${indentAt(text, line)}  `
  return { start: line, end: line, text: values.map((value) => `${indent}${value},${eol}`).join('') }
}

const common = (one: readonly unknown[], other: readonly unknown[]): number => {
  const most = Math.min(one.length, other.length)
  let count = 0
  while (count < most && isDeepStrictEqual(one[count], other[count])) count++
  return count
}

/**
 * The edits that turn a list of several lines, whose opening bracket is at `start`, into another one and leave its comments
 * and the layout of whatever stays alone. `before` is what the list holds.
 */
export const editList = (
  text: string,
  start: number,
  before: readonly unknown[],
  after: readonly JSONType[],
  eol: string,
): Edit[] => {
  const items = listItems(text, start)
  const head = common(before, after)
  const tail = common(before.slice(head).reverse(), after.slice(head).reverse())
  const old = items.slice(head, items.length - tail)
  const fresh = after.slice(head, after.length - tail).map(printValue)
  const replaced = old.slice(0, fresh.length).map((item, index) => ({ ...item, text: fresh[index] ?? '' }))
  const more = fresh.slice(old.length)
  const edits: Edit[] = [...replaced, ...old.slice(fresh.length).flatMap((item) => removal(text, item))]
  if (more.length === 0) return edits
  const last = items[head + old.length - 1]
  const next = items[head + old.length]
  if (last !== undefined) return [...edits, ...insertionAfter(text, last, more, eol)]
  return [next === undefined ? fillingOf(text, start, more, eol) : insertionBefore(text, next, more, eol)]
}

/** Applies edits, none of which overlap. Of two at the same spot the one given first comes first. */
export const applyEdits = (text: string, edits: readonly Edit[]): string => {
  let done = ''
  let at = 0
  for (const { start, end, text: fresh } of edits.toSorted((a, b) => a.start - b.start)) {
    done += text.slice(at, start) + fresh
    at = end
  }
  return done + text.slice(at)
}
