import type { Page } from './page.ts'
import { printable, printableLine } from './printable.ts'
import { dot, stateText } from './state-words.ts'
import { clockTime, localTime } from './times.ts'
import type { Found, Row } from './views.ts'
import { wrap, wrapBehind } from './wrap.ts'

const indent = '    '
const mostSources = 3

/** Where it was found, each place once. */
export const sourceNames = (sources: readonly Found[]): string => {
  const names = [...new Set(sources.map(({ key, source }) => printableLine(key || source)))]
  const more = names.length - mostSources
  return names.slice(0, mostSources).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

export interface RowShape {
  /** All of the text; otherwise its first lines. */
  whole?: boolean
  /** Why a model decided as it did. */
  reason?: boolean
  /** With the day, where that is not today. */
  dated?: boolean
}

const mostLines = 4

const firstLines = (text: string, most: number): string => {
  const lines = text
    .trim()
    .split('\n')
    .filter((line) => line.trim() !== '')
  return lines.length <= most ? lines.join('\n') : `${lines.slice(0, most).join('\n')} …`
}

/** An evaluation: dot, time, state and task; below it the text, and where it comes from. */
export const rowLines = (row: Row, page: Page, shape: RowShape = {}): string[] => {
  const { paint, columns } = page
  const at = row.settledAt ?? row.createdAt ?? page.now()
  const head = `${shape.dated ? localTime(at, page.now()) : clockTime(at)} ${row.state}  `
  const [title = '', ...titleRest] = wrap(printableLine(row.title ?? row.task), columns - 2 - head.length)
  const text = printable(stateText(row))
  const reason = shape.reason && row.reason && row.reason !== text ? printable(row.reason) : ''
  const origin = [sourceNames(row.sources), printableLine(row.id)].filter((part) => part !== '').join(' · ')
  return [
    `${dot(row.state, paint)} ${paint('gray', head)}${paint('bold', title)}`,
    ...titleRest.map((line) => indent + paint('bold', line.trimStart())),
    ...wrapBehind(indent, shape.whole ? text.trim() : firstLines(text, mostLines), columns),
    ...(reason === ''
      ? []
      : wrapBehind(indent, `(${firstLines(reason, 1)})`, columns).map((line) => paint('gray', line))),
    ...wrapBehind(indent, origin, columns).map((line) => paint('gray', line)),
  ]
}

/** Skips of one tick, folded into one line. */
export const skippedLine = (rows: readonly Row[], page: Page, { dated = false } = {}): string => {
  const at = rows[0]?.settledAt ?? rows[0]?.createdAt ?? page.now()
  const time = dated ? localTime(at, page.now()) : clockTime(at)
  return page.paint('gray', `· ${time} ${rows.length} skipped: nothing new`)
}

/** Rows with the skips of each tick folded where they stand together. */
export const foldedLines = (rows: readonly Row[], page: Page, shape: RowShape = {}): string[] => {
  const lines: string[] = []
  for (let at = 0; at < rows.length; ) {
    const row = rows[at]!
    const end = rows.findIndex((other, index) => index >= at && (other.state !== 'skipped' || other.tick !== row.tick))
    const run = row.state === 'skipped' ? rows.slice(at, end === -1 ? undefined : end) : []
    if (run.length > 0) lines.push(skippedLine(run, page, { dated: shape.dated ?? false }))
    else lines.push(...rowLines(row, page, shape))
    at += Math.max(1, run.length)
  }
  return lines
}
