import type { Steps } from '../domain/steps.ts'
import { cutText, weighLine } from './cut.ts'
import { fenceWeight } from './fence.ts'

/** Part of a report: lines before the data, the data, lines after it. `fenced` data goes between the lines of a fence. */
export interface Part {
  before: string[]
  fenced: boolean
  lines: string[]
  after: string[]
}

/** A section that names things, one a line, the most important first. */
export interface ListSection {
  heading: string
  fenced: boolean
  lines: readonly string[]
  /** Of each line. */
  weights: readonly number[]
  /** How many there are in all; lines that will not have room need not be there. */
  total: number
  /** What the things are called when some of them are left out. */
  noun: string
}

export const listSection = (
  list: Pick<ListSection, 'heading' | 'fenced' | 'lines' | 'noun'>,
  total = list.lines.length,
): ListSection => ({ ...list, weights: list.lines.map(weighLine), total })

const linesPerStep = 100

export function* weighingLines(lines: readonly string[]): Steps<number[]> {
  const weights: number[] = []
  for (const [at, line] of lines.entries()) {
    if (at % linesPerStep === 0) yield
    weights.push(weighLine(line))
  }
  return weights
}

export interface ShownList {
  parts: Part[]
  /** How many of the lines are shown; the last of them may be cut. */
  shown: number
  weight: number
}

/** Weight of a whole list, so that room can be shared out before anything is shown. */
export function listNeed(list: ListSection): number {
  if (list.lines.length === 0) return 0
  return list.weights.reduce((sum, weight) => sum + weight, frameWeight(list))
}

/** As much of a list as has room, with a count of what was left out; nothing when not even the frame has room. */
export function showList(list: ListSection, room: number): ShownList {
  const all = listNeed(list)
  if (all <= room && list.lines.length === list.total) return shownList(list, list.lines, list.lines.length, all)
  const frame = frameWeight(list) + weighLine(moreLine(list, list.total))
  if (frame > room) return { parts: [], shown: 0, weight: 0 }
  const taken: string[] = []
  let weight = frame
  for (const [at, line] of list.lines.entries()) {
    const more = list.weights[at] ?? 0
    if (weight + more > room) break
    taken.push(line)
    weight += more
  }
  if (taken.length === 0) {
    const cut = cutText(list.lines[0] ?? '', room - weight - weighLine(''))
    if (cut !== '') {
      taken.push(cut)
      weight += weighLine(cut)
    }
  }
  return shownList(list, taken, taken.length, weight)
}

function shownList(list: ListSection, lines: readonly string[], shown: number, weight: number): ShownList {
  if (weight === 0) return { parts: [], shown, weight }
  const left = list.total - shown
  const after = left > 0 ? [moreLine(list, left)] : []
  return { parts: [{ before: ['', list.heading], fenced: list.fenced, lines: [...lines], after }], shown, weight }
}

const frameWeight = ({ heading, fenced }: ListSection): number =>
  weighLine('') + weighLine(heading) + (fenced ? fenceWeight : 0)

const moreLine = ({ noun }: ListSection, left: number): string => `… ${left} more ${noun} left out`
