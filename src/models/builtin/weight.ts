import type { FoundDate } from './dates.ts'
import type { Line } from './reading.ts'
import { any, Signal } from './signals.ts'

const weights: readonly (readonly [number, number])[] = [
  [Signal.urgent, 3],
  [Signal.important, 1],
  [Signal.deadline, 2],
  [Signal.moved, 2],
  [Signal.cancelled, 2],
  [Signal.failure, 2],
  [Signal.blocked, 1.5],
  [Signal.unblocked, 1.5],
  [Signal.mention, 1.5],
  [Signal.question, 1],
  [Signal.request, 1],
  [Signal.status, 1],
  [Signal.todo, 0.5],
]
const subject = 0.5
const noise = -3

/** How much a line weighs for itself, whatever a task asks. */
export function weightOf(line: Line, dates: readonly FoundDate[], today: number): number {
  let weight = (line.isSubject ? subject : 0) + (line.noise === 0 ? 0 : noise)
  for (const [signal, part] of weights) if (any(line.signals, signal)) weight += part
  return weight + nearness(dates, today)
}

function nearness(dates: readonly FoundDate[], today: number): number {
  const ahead = dates.filter(({ day }) => day >= today).map(({ day }) => day - today)
  if (ahead.length === 0) return 0
  const nearest = Math.min(...ahead)
  return nearest <= 2 ? 2 : nearest <= 7 ? 1 : 0.5
}
