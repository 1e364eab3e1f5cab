import type { ActorId, OutboxKey } from './ids.ts'

/** An actor as it rests in the store. `snapshot` is null once it is settled. */
export interface ActorRow {
  id: ActorId
  kind: string
  parent: ActorId | null
  /** Version of the chart that wrote the snapshot. */
  chart: number
  version: number
  status: 'active' | 'done'
  state: string
  snapshot: string | null
  createdAt: number
  updatedAt: number
}

export interface JournalRow {
  seq: number
  actor: ActorId
  version: number
  sender: string | null
  event: string
  fromState: string | null
  toState: string
  at: number
}

export type OutboxState = 'pending' | 'started' | 'done' | 'failed' | 'unknown' | 'cancelled'

/** One piece of work that an actor asked for: its order, its record and its result. */
export interface OutboxRow {
  key: OutboxKey
  actor: ActorId
  invoke: string
  kind: string
  input: string
  state: OutboxState
  attempts: number
  result: string | null
  createdAt: number
  settledAt: number | null
}

export interface TimerRow {
  actor: ActorId
  name: string
  dueAt: number
  event: string
}

export interface DeadLetter {
  seq: number
  actor: string
  event: string
  reason: string
  at: number
}

/**
 * What the actor host writes, as plain rows. All calls between `begin` and `commit` are one transaction; every call is
 * synchronous. Of what they throw, `isTransient` tells what may succeed later and `isFatal` what never will: the store is
 * damaged, or another process has taken it over.
 */
export interface Ledger {
  begin(): void
  commit(): void
  rollback(): void
  savepoint(): void
  release(): void
  rollbackToSavepoint(): void
  isTransient(error: unknown): boolean
  isFatal(error: unknown): boolean

  actor(id: ActorId): ActorRow | undefined
  insertActor(row: ActorRow): void
  /** Writes the row if it is still at `wasVersion`; false when somebody else has moved it. */
  updateActor(row: ActorRow, wasVersion: number): boolean
  appendJournal(row: Omit<JournalRow, 'seq'>): void
  journal(actor: ActorId): JournalRow[]

  /** True when this id had not been seen before. */
  firstSight(message: string, at: number): boolean

  work(key: OutboxKey): OutboxRow | undefined
  /** Does nothing when the key exists: work is ordered once. Returns whether it was new. */
  orderWork(row: Omit<OutboxRow, 'attempts' | 'result' | 'settledAt'>): boolean
  startWork(key: OutboxKey, at: number): boolean
  /** Moves open work to its end; false when it was not open, so that a result counts once. */
  settleWork(key: OutboxKey, state: 'done' | 'failed' | 'unknown', result: string, at: number): boolean
  /** Keeps what became of work that was called off while it ran. */
  recordLateResult(key: OutboxKey, result: string): void
  cancelWork(key: OutboxKey, at: number): boolean
  openWork(limit: number, after?: OutboxRow): OutboxRow[]

  setTimer(row: TimerRow): void
  clearTimer(actor: ActorId, name: string): void
  clearTimers(actor: ActorId): void
  /** Takes a timer out if it still stands with this due time. */
  takeTimer(actor: ActorId, name: string, dueAt: number): boolean
  dueTimers(now: number, limit: number): TimerRow[]
  nextTimerAt(): number | null

  bury(letter: Omit<DeadLetter, 'seq'>): void
}
