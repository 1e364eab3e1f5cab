import type { Paint } from './paint.ts'

/** What text is laid out for. */
export interface Page {
  readonly paint: Paint
  /** Cells of a line; Infinity where nobody reads at a terminal. */
  readonly columns: number
  /** Milliseconds UTC. */
  now(): number
}
