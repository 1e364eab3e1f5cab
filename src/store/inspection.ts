import type { ActorRow, JournalRow, OutboxRow, TimerRow } from '../domain/ledger.ts'
import type { Db } from './open.ts'

/** An actor without its snapshot. */
export type ActorHead = Omit<ActorRow, 'snapshot'>

/** A journal row with its actor's kind; null when the actor is gone. */
export type JournalStep = JournalRow & { kind: string | null }

/** The same without what the event carries: its type alone. */
export type JournalLine = Omit<JournalStep, 'event'> & { event: string }

/**
 * Whose step is the newest. SQLite gives the number of a newest row again once that row is gone, and whoever follows the
 * numbers would miss a step: so nobody's journal is let go of while the newest step is in it.
 */
export const newestActor = "coalesce((SELECT actor FROM journal ORDER BY seq DESC LIMIT 1), '')"

const head = 'id, kind, parent, chart, version, status, state, created_at AS createdAt, updated_at AS updatedAt'
const step =
  'j.seq, j.actor, j.version, j.sender, j.event, j.from_state AS fromState, j.to_state AS toState, j.at, a.kind'
const line = step.replace('j.event,', "j.event ->> '$.type' AS event,")
const journal = 'journal j LEFT JOIN actor a ON a.id = j.actor'

/** The host's rows for whoever looks on. Every read is bounded, and none writes. */
export function inspectionStore(db: Db) {
  const actor = db.prepare<[string], ActorRow>(`SELECT ${head}, snapshot FROM actor WHERE id = ?`)
  const actors = db.prepare<[string, string, number], ActorHead>(
    `SELECT ${head} FROM actor WHERE id > ? AND id < ? ORDER BY id LIMIT ?`,
  )
  const ofKind = db.prepare<[string, string, string, string, number], ActorHead>(
    `SELECT ${head} FROM actor WHERE kind <> 'evaluation' AND kind = ? AND status = ? AND id > ? AND id < ? ORDER BY id LIMIT ?`,
  )
  const timers = db.prepare<[string, number], TimerRow>(
    'SELECT actor, name, due_at AS dueAt, event FROM timer WHERE actor = ? ORDER BY due_at LIMIT ?',
  )
  // A key begins with its actor and a slash; the sign after the slash is 0.
  const work = db.prepare<[string, string, number], OutboxRow>(
    `SELECT key, actor, invoke, kind, input, state, attempts, result, created_at AS createdAt, settled_at AS settledAt
     FROM outbox WHERE key > ? || '/' AND key < ? || '0' ORDER BY key LIMIT ?`,
  )
  const ofActor = db.prepare<[string, number, number], JournalStep>(
    `SELECT ${step} FROM ${journal} WHERE j.actor = ? AND j.version >= ? ORDER BY j.version LIMIT ?`,
  )
  const ofActorSince = db.prepare<[string, number, number], JournalStep>(
    `SELECT ${step} FROM ${journal} WHERE j.actor = ? AND j.seq > ? ORDER BY j.version LIMIT ?`,
  )
  const since = db.prepare<[number, number], JournalLine>(
    `SELECT ${line} FROM ${journal} WHERE j.seq > ? ORDER BY j.seq LIMIT ?`,
  )
  const before = db.prepare<[number, number], JournalLine>(
    `SELECT ${line} FROM ${journal} WHERE j.seq < ? ORDER BY j.seq DESC LIMIT ?`,
  )
  const newest = db.prepare<[], number>('SELECT seq FROM journal ORDER BY seq DESC LIMIT 1').pluck()

  return {
    actor: (id: string): ActorRow | undefined => actor.get(id),
    /** Actors between two ids, both left out. */
    actors: (after: string, until: string, limit: number): ActorHead[] => actors.all(after, until, limit),
    /** The same of one kind that is no evaluation: those are few, and found at once among however many evaluations. */
    others: (kind: string, status: ActorRow['status'], after: string, until: string, limit: number): ActorHead[] =>
      ofKind.all(kind, status, after, until, limit),
    timers: (id: string, limit: number): TimerRow[] => timers.all(id, limit),
    work: (id: string, limit: number): OutboxRow[] => work.all(id, id, limit),
    /** Steps of one actor from a version on. */
    journal: (id: string, fromVersion: number, limit: number): JournalStep[] => ofActor.all(id, fromVersion, limit),
    journalSince: (id: string, seq: number, limit: number): JournalStep[] => ofActorSince.all(id, seq, limit),
    /** Steps of all actors after a number. */
    linesSince: (seq: number, limit: number): JournalLine[] => since.all(seq, limit),
    /** Steps of all actors before a number, newest first. */
    linesBefore: (seq: number, limit: number): JournalLine[] => before.all(seq, limit),
    /** The number of the newest step; 0 when there is none. */
    head: (): number => newest.get() ?? 0,
  }
}
