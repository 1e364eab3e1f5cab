import { setImmediate as breathe } from 'node:timers/promises'
import type { SituationReport } from '../../domain/report.ts'
import { datesIn, type FoundDate } from './dates.ts'
import { type Line, type ReadItem, readChange } from './reading.ts'
import { any, Signal } from './signals.ts'
import { toldBefore } from './told.ts'
import { weightOf } from './weight.ts'
import { dayNumber, type WallTime, wallTime } from './zone.ts'

/** What matching needs to know beyond one item. */
export interface Scene {
  items: readonly ReadItem[]
  now: WallTime
  /** Today's date in the report's zone, in days since 1 January 1970. */
  today: number
  /** In how many items each word occurs. */
  frequency: ReadonlyMap<string, number>
  /** The dates of a line, in the report's zone, seen from the time of its mail or else from now. */
  dates(item: ReadItem, line: Line): readonly FoundDate[]
  /** How much a line weighs for itself. */
  weight(item: ReadItem, line: Line): number
  alreadyTold: ReturnType<typeof toldBefore>
}

/** After so many changes other work of the process gets its turn. */
const slice = 50

const scenes = new WeakMap<SituationReport, Promise<Scene>>()

/** What rules see of a report; read once, whichever tasks and steps ask. */
export function sceneOf(report: SituationReport): Promise<Scene> {
  const known = scenes.get(report)
  if (known) return known
  const scene = readScene(report)
  scenes.set(report, scene)
  return scene
}

async function readScene(report: SituationReport): Promise<Scene> {
  const items: ReadItem[] = []
  const frequency = new Map<string, number>()
  for (const change of report.changes) {
    const item = readChange(change)
    items.push(item)
    for (const term of item.terms) frequency.set(term, (frequency.get(term) ?? 0) + 1)
    if (items.length % slice === 0) await breathe()
  }
  const now = wallTime(report.timezone, report.now)
  const today = dayNumber(now)
  const dates = datesFrom(report, now)
  return {
    items,
    now,
    today,
    frequency,
    dates,
    weight: weightsFrom(dates, today),
    alreadyTold: toldBefore(report.surfaced),
  }
}

function weightsFrom(dates: Scene['dates'], today: number): Scene['weight'] {
  const known = new WeakMap<Line, number>()
  return (item, line) => {
    const weight = known.get(line) ?? weightOf(line, dates(item, line), today)
    known.set(line, weight)
    return weight
  }
}

function datesFrom(report: SituationReport, now: WallTime): Scene['dates'] {
  const known = new WeakMap<Line, readonly FoundDate[]>()
  const standpoints = new WeakMap<ReadItem, WallTime>()
  const standpointOf = (item: ReadItem): WallTime => {
    const { time } = item.change
    if (!item.isMail || time === null || !(time > 0) || time >= report.now) return now
    const found = standpoints.get(item) ?? wallTime(report.timezone, time)
    standpoints.set(item, found)
    return found
  }
  return (item, line) => {
    const before = known.get(line)
    if (before) return before
    const moved = any(line.signals, Signal.moved)
    const dates =
      line.dateLanguages.length === 0 ? [] : datesIn(line.text, line.dateLanguages, standpointOf(item), moved)
    known.set(line, dates)
    return dates
  }
}
