import type { Change } from '../domain/change.ts'
import { cutText, oneLine, weighLine } from './cut.ts'
import { cancelled, type EntryLines, entryLines, fittingLines, joined, shownLines } from './entry-lines.ts'
import { withoutFences } from './fence.ts'
import { localMinute } from './local-time.ts'
import { maskSecrets } from './secrets.ts'

/** A change as a report shows it: one row of the sequence, or the net of several rows about one item. */
export interface Entry {
  /** The latest of its rows. */
  change: Change
  kind: Change['kind']
  merged: boolean
  removed: EntryLines
  added: EntryLines
  header: string
  weight: number
}

export const entryOf = (change: Change, timezone: string): Entry =>
  weighed({
    change,
    kind: change.kind,
    merged: false,
    removed: entryLines(change.removed, '-'),
    added: entryLines(change.added, '+'),
    header: headerOf(change, change.kind, timezone),
  })

/**
 * The net of two changes of one item, or null where saying only that would lose something: lines were left out of one of
 * them, or the item went or came back in between. A line that came and went again is news to nobody.
 */
export function netEntry(first: Entry, second: Entry, timezone: string): Entry | null {
  const [one, two] = [first.change, second.change]
  if (first.kind === 'removed' || second.kind !== 'modified' || one.omitted + two.omitted > 0) return null
  if (one.external !== two.external || one.itemKind !== two.itemKind) return null
  const [stillAdded, wentAfterAll] = cancelled(first.added, second.removed)
  const [stillRemoved, cameAfterAll] = cancelled(first.removed, second.added)
  return weighed({
    change: two,
    kind: first.kind,
    merged: true,
    removed: joined(stillRemoved, wentAfterAll),
    added: joined(stillAdded, cameAfterAll),
    header: headerOf(two, first.kind, timezone),
  })
}

/** The change as a judge may quote from it: its net lines, without those that hold a secret. */
export function quotable({ change, kind, merged, removed, added }: Entry): Change {
  const secrets = [removed, added].reduce((sum, { lines }) => sum + lines.filter(({ secret }) => secret).length, 0)
  const title = maskSecrets(change.title)
  if (!merged && secrets === 0 && title === change.title) return change
  const raw = ({ lines }: EntryLines): string[] => lines.filter(({ secret }) => !secret).map((line) => line.raw)
  return { ...change, kind, title, added: raw(added), removed: raw(removed), omitted: change.omitted + secrets }
}

export const linesOfEntry = ({ change, header, removed, added }: Entry): string[] => [
  header,
  ...shownLines(removed),
  ...shownLines(added),
  ...moreLines(change.omitted),
]

/**
 * The entry as far as it has room, with a count of the lines that have not; removed lines have at least a quarter. Of a
 * first line too long for all of it, the beginning.
 */
export function cutEntry(entry: Entry, room: number): string[] {
  if (entry.weight <= room) return linesOfEntry(entry)
  const all = [...shownLines(entry.added), ...shownLines(entry.removed)]
  const header = cutText(entry.header, room / 2)
  const free = room - weighLine(header) - weighLine(moreLine(entry.change.omitted + all.length))
  const assured = fittingLines(entry.removed, free / 4)
  const added = fittingLines(entry.added, free - assured.weight)
  const removed = fittingLines(entry.removed, free - added.weight)
  const lines = [...removed.lines, ...added.lines]
  if (lines.length === 0) lines.push(...[cutText(all[0] ?? '', free - weighLine(''))].filter((line) => line !== ''))
  return [header, ...lines, ...moreLines(entry.change.omitted + all.length - lines.length)]
}

function headerOf(change: Change, kind: Change['kind'], timezone: string): string {
  const when = localMinute(change.time, timezone) ?? localMinute(change.at, timezone)
  const title = masked(change.title, 200)
  const named = title === '' || change.key.endsWith(title) ? '' : ` "${title}"`
  const author = change.author ? ` from ${masked(change.author, 100)}` : ''
  const time = when === null ? '' : `, ${when}`
  return withoutFences(`* ${kind} ${masked(change.key, 500)}${named}${author}${time}`)
}

/** Masked before it is cut, so that no secret is cut in two and overlooked. */
const masked = (text: string, most: number): string => oneLine(maskSecrets(oneLine(text, most * 4)), most)

function weighed(entry: Omit<Entry, 'weight'>): Entry {
  const frame = [entry.header, ...moreLines(entry.change.omitted)]
  const weight = frame.reduce((sum, line) => sum + weighLine(line), entry.removed.weight + entry.added.weight)
  return { ...entry, weight }
}

const moreLine = (count: number): string => (count === 1 ? '… 1 more line' : `… ${count} more lines`)
const moreLines = (count: number): string[] => (count > 0 ? [moreLine(count)] : [])
