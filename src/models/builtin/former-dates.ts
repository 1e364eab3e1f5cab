import type { FoundDate } from './dates.ts'
import { sameSubject, wordsOf } from './notes.ts'
import { type Line, type ReadItem, readLine } from './reading.ts'
import type { Scene } from './scene.ts'
import { any, Signal } from './signals.ts'

/** Of a change, how many removed lines are compared. */
const mostRemoved = 200

interface Former {
  line: Line
  subject: ReadonlySet<string>
}

const formerLines = new WeakMap<ReadItem, Former[]>()

/** The removed lines of an edit that may name a date. */
function formerOf(item: ReadItem): Former[] {
  const known = formerLines.get(item)
  if (known) return known
  const former = item.change.removed
    .slice(0, mostRemoved)
    .map((text) => readLine(text))
    .filter((line) => any(line.signals, Signal.dateHint))
    .map((line) => ({ line, subject: wordsOf(line) }))
  formerLines.set(item, former)
  return former
}

/**
 * What an edit did to the dates of a line: `kept` when a removed line on the same subject named one of them, `moved` when
 * it named others; null when the line has no date or none stood there before.
 */
export function editOfDates(item: ReadItem, line: Line, scene: Scene): 'kept' | 'moved' | null {
  if (item.change.kind !== 'modified' || !any(line.signals, Signal.dateHint)) return null
  const former = formerOf(item)
  const dates = former.length === 0 ? [] : scene.dates(item, line)
  if (dates.length === 0) return null
  const subject = wordsOf(line)
  const before = former
    .filter((other) => sameSubject(other.subject, subject))
    .flatMap((other) => scene.dates(item, other.line))
  if (before.length === 0) return null
  return sharesDay(before, dates) ? 'kept' : 'moved'
}

const sharesDay = (one: readonly FoundDate[], other: readonly FoundDate[]): boolean =>
  one.some(({ day }) => other.some((date) => date.day === day))
