import type { Change } from '../domain/change.ts'
import type { Steps } from '../domain/steps.ts'
import { oneLine, weighLine } from './cut.ts'
import { cutEntry, type Entry, entryOf, linesOfEntry, netEntry, quotable } from './entry.ts'
import { fenceWeight, withoutFences } from './fence.ts'
import type { Part } from './list-section.ts'

/** The changes of a report, taken from the oldest on, as many as there is room for. */
export interface ChangeSection {
  /** Takes changes while they fit into `room` grains, no more than it must look at; returns what those taken weigh. */
  fill(room: number): Steps<number>
  /** True once there is no further change to take. */
  isComplete(): boolean
  /** Ends the taking. A first change that does not fit is shown cut, so that every report gets further. */
  show(room: number): Steps<ShownChanges>
  /** Lets go of the changes not taken. */
  close(): void
}

interface ShownChanges {
  parts: Part[]
  /** Oldest first. */
  changes: Change[]
  weight: number
  through: number | null
  left: number
}

const heading = ['', '## What changed', 'Lines that came begin with +, lines that went with -. The newest is first.']

const leftLine = (left: number | null): string =>
  left === null ? '… more changes are left for the next report' : `… ${left} more changes left for the next report`

const frameWeight = [...heading, leftLine(10 ** 9)].reduce((sum, line) => sum + weighLine(line), 0)

export function changeSection(given: Iterable<Change>, timezone: string): ChangeSection {
  const waiting = given[Symbol.iterator]()
  const total = Array.isArray(given) ? given.length : null
  const entries = new Set<Entry>()
  const latest = new Map<string, Entry>()
  const sources = new Set<string>()
  let looked = 0
  let next = take()
  let taken = 0
  let weight = 0
  let through: number | null = null

  function take(): Entry | null {
    const { done, value } = waiting.next()
    if (done) return null
    looked += value.added.length + value.removed.length
    return entryOf(value, timezone)
  }

  /** Takes the change at hand, if it then weighs no more than `room`. */
  function fits(entry: Entry, room: number): boolean {
    const { source, key, seq } = entry.change
    const item = `${source}\0${key}`
    const before = latest.get(item)
    const net = before ? netEntry(before, entry, timezone) : null
    const frames = (entries.size === 0 ? frameWeight : 0) + (sources.has(source) ? 0 : groupWeight(source))
    const more = net && before ? net.weight - before.weight : entry.weight + frames
    if (weight + more > room) return false
    if (net && before) entries.delete(before)
    entries.add(net ?? entry)
    latest.set(item, net ?? entry)
    sources.add(source)
    weight += more
    taken += 1
    through = seq
    return true
  }

  function* fill(room: number): Steps<number> {
    while (next !== null && looked <= mostLooked && fits(next, room)) {
      yield
      next = take()
    }
    return weight
  }

  function close(): void {
    if (next !== null) waiting.return?.()
  }

  return {
    fill,
    close,
    isComplete: () => next === null,
    *show(room) {
      yield* fill(room)
      const cut = new Map<Entry, string[]>()
      if (next !== null && taken === 0) {
        const inside = room - frameWeight - groupWeight(next.change.source)
        const lines = cutEntry(next, inside)
        const short = { ...next, weight: inside }
        cut.set(short, lines)
        if (fits(short, room)) next = take()
      }
      close()
      const left = total === null ? Number(next !== null) : total - taken
      const shown = [...entries]
      const parts = partsOf(shown.toReversed(), (entry) => cut.get(entry) ?? linesOfEntry(entry))
      if (left > 0) parts.at(-1)?.after.push(leftLine(total === null ? null : left))
      return { parts, changes: shown.map(quotable), weight, through, left }
    },
  }
}

/**
 * Lines that are looked at for one report, more than any shows: what comes and goes again many times between two
 * judgements has a small net, and would have everything read at once.
 */
const mostLooked = 15_000

const groupHeading = (source: string): string[] => ['', `### ${withoutFences(oneLine(source, 100))}`]

const groupWeight = (source: string): number =>
  groupHeading(source).reduce((sum, line) => sum + weighLine(line), fenceWeight)

/** Entries by source, the source of the first entry first. */
function partsOf(entries: readonly Entry[], linesOf: (entry: Entry) => string[]): Part[] {
  const parts = new Map<string, Part>()
  for (const entry of entries) {
    const { source } = entry.change
    const part = parts.get(source) ?? {
      before: [...(parts.size === 0 ? heading : []), ...groupHeading(source)],
      fenced: true,
      lines: [],
      after: [],
    }
    parts.set(source, part)
    part.lines.push(...linesOf(entry))
  }
  return [...parts.values()]
}
