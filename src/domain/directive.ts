import type { DirectiveId } from './ids.ts'

/** `expired`: it has held for as many cycles as it was made for. */
export type DirectiveState = 'current' | 'superseded' | 'revoked' | 'expired'

/** A piece of advice for the work of sessions, as a review of them came to it. */
export interface Directive {
  id: DirectiveId
  /** The peer whose sessions it was drawn from and holds for; null: drawn from the user's own, and holds for all. */
  scope: string | null
  text: string
  state: DirectiveState
  /** How many cycles its scope had had when it was made, and for how many more it holds. */
  createdCycle: number
  expiresAfter: number
  /** Cycles of its scope since it was made. */
  age: number
  /** Rows of the compressed history that it was drawn from. */
  rows: string[]
  /** The earlier directive that this one is again. */
  againOf: DirectiveId | null
  createdAt: number
  endedAt: number | null
  supersededBy: DirectiveId | null
  revokedBy: string | null
}
