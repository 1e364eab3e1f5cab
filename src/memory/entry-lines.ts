import { weighLine } from './cut.ts'
import { withoutFences } from './fence.ts'
import { maskLines } from './secrets.ts'

/** A line of a change: as it stands in the source, and as a report shows it (null: not at all, being part of a secret). */
interface EntryLine {
  raw: string
  secret: boolean
  shown: string | null
  weight: number
}

export interface EntryLines {
  lines: readonly EntryLine[]
  weight: number
}

export const entryLines = (raw: readonly string[], sign: '+' | '-'): EntryLines =>
  together(
    maskLines(raw).map(({ raw, shown: masked }) => {
      const shown = masked === null ? null : `${sign} ${withoutFences(masked)}`
      return { raw, secret: masked !== raw, shown, weight: shown === null ? 0 : weighLine(shown) }
    }),
  )

const together = (lines: readonly EntryLine[]): EntryLines => ({
  lines,
  weight: lines.reduce((sum, { weight }) => sum + weight, 0),
})

export function joined(one: EntryLines, two: EntryLines): EntryLines {
  if (one.lines.length === 0) return two
  if (two.lines.length === 0) return one
  return { lines: one.lines.concat(two.lines), weight: one.weight + two.weight }
}

/** Both without the lines that stand in both, as often as they do. */
export function cancelled(one: EntryLines, two: EntryLines): [EntryLines, EntryLines] {
  if (one.lines.length === 0 || two.lines.length === 0) return [one, two]
  const inTwo = new Map<string, number>()
  for (const { raw } of two.lines) inTwo.set(raw, (inTwo.get(raw) ?? 0) + 1)
  const inBoth = new Map<string, number>()
  const left = one.lines.filter(({ raw }) => {
    if (!takeOne(inTwo, raw)) return true
    inBoth.set(raw, (inBoth.get(raw) ?? 0) + 1)
    return false
  })
  if (inBoth.size === 0) return [one, two]
  return [together(left), together(two.lines.filter(({ raw }) => !takeOne(inBoth, raw)))]
}

function takeOne(counts: Map<string, number>, raw: string): boolean {
  const count = counts.get(raw) ?? 0
  if (count > 0) counts.set(raw, count - 1)
  return count > 0
}

export const shownLines = ({ lines }: EntryLines): string[] => lines.flatMap(({ shown }) => shown ?? [])

/** The first lines that have room. */
export function fittingLines({ lines }: EntryLines, room: number): { lines: string[]; weight: number } {
  const taken: string[] = []
  let weight = 0
  for (const line of lines) {
    if (weight + line.weight > room) break
    if (line.shown !== null) taken.push(line.shown)
    weight += line.weight
  }
  return { lines: taken, weight }
}
