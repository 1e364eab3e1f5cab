import type { Page } from './page.ts'
import { displayWidth, padTo } from './width.ts'
import { wrap } from './wrap.ts'

const narrowest = 16
const gap = '  '

/**
 * Rows in columns, without lines. The column `stretch` is wrapped to what room the others leave. Not by cli-table3, whose
 * time grows with the square of the rows: 10,000 tasks took it half a minute.
 */
export const columnsOf = (
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  page: Page,
  stretch: number,
): string[] => {
  const table = [heads, ...rows].map((row) => row.map((cell) => cell.split('\n')))
  const widths = heads.map((_, column) =>
    table.reduce((most, row) => Math.max(most, ...(row[column] ?? []).map(displayWidth)), 0),
  )
  const others = widths.reduce((sum, width, column) => sum + (column === stretch ? 0 : width + gap.length), 0)
  const room = Math.max(narrowest, page.columns - others)
  widths[stretch] = Math.min(widths[stretch] ?? 0, room)
  return table.flatMap((row, index) => {
    const cells = row.map((lines, column) => (column === stretch ? lines.flatMap((line) => wrap(line, room)) : lines))
    const height = Math.max(...cells.map(({ length }) => length))
    return Array.from({ length: height }, (_, at) => {
      const line = cells
        .map((lines, column) => padTo(lines[at] ?? '', widths[column] ?? 0))
        .join(gap)
        .trimEnd()
      return index === 0 ? page.paint('gray', line) : line
    })
  })
}
