import Table from 'cli-table3'
import type { Page } from './page.ts'
import { displayWidth } from './width.ts'
import { wrap } from './wrap.ts'

const noLines = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
}

const narrowest = 16

/** Rows in columns, without lines. The column `stretch` is wrapped to what room the others leave. */
export const columnsOf = (
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  page: Page,
  stretch: number,
): string[] => {
  const widest = (column: number): number =>
    Math.max(...[heads, ...rows].map((row) => Math.max(...(row[column] ?? '').split('\n').map(displayWidth))))
  const others = heads.reduce((sum, _, column) => sum + (column === stretch ? 0 : widest(column)), 0)
  const room = Math.max(narrowest, page.columns - others - 2 * (heads.length - 1))
  const table = new Table({
    chars: noLines,
    head: heads.map((head) => page.paint('gray', head)),
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
  })
  for (const row of rows)
    table.push(row.map((cell, column) => (column === stretch ? wrap(cell, room).join('\n') : cell)))
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
}
