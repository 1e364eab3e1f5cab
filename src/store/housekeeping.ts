import type { Db } from './open.ts'

/** How many steps of the long-lived actors stay in the journal. */
const stepsKept = 200
const atOnce = 200

export interface Retention {
  now: number
  /** Journals of evaluations that settled before this keep only a summary: each state, since when, and because of what. */
  journalBefore: number
  /** Ids of messages given from outside are remembered since this. */
  seenSince: number
  notificationsSince: number
  deadLettersSince: number
  imagesSince: number
}

export type Housekeeping = ReturnType<typeof housekeeping>

/** Keeps every table bounded. Each call does a slice of the work and says whether more is left. */
export function housekeeping(db: Db) {
  const finishedTicks = db
    .prepare<[number], string>("SELECT id FROM actor WHERE kind = 'tick' AND status = 'done' LIMIT ?")
    .pluck()
  const forgetJournal = db.prepare('DELETE FROM journal WHERE actor = ?')
  const forgetActor = db.prepare('DELETE FROM actor WHERE id = ?')
  const forgetWork = db.prepare("DELETE FROM outbox WHERE actor = ? AND state NOT IN ('pending', 'started')")
  const quietTicks = db.prepare("DELETE FROM tick WHERE state = 'quiet' AND ended_at < ?")
  const longLived = db.prepare<[], { id: string; version: number }>(
    "SELECT id, version FROM actor WHERE kind IN ('heartbeat', 'instance')",
  )
  const trimJournal = db.prepare('DELETE FROM journal WHERE actor = ? AND version <= ?')
  const oldEvaluations = db.prepare<[number, number], { id: string; states: string }>(
    `SELECT e.id AS id, (SELECT json_group_array(json_array(to_state, at, event ->> '$.type')) FROM journal j WHERE j.actor = e.id) AS states
     FROM evaluation e JOIN actor a ON a.id = e.id WHERE e.settled_at < ? LIMIT ?`,
  )
  const summarise = db.prepare(
    `INSERT INTO journal(actor, version, event, from_state, to_state, at)
     SELECT id, version, ?, NULL, state, updated_at FROM actor WHERE id = ?`,
  )
  const settledWork = db.prepare(
    `DELETE FROM outbox WHERE key IN (SELECT key FROM outbox WHERE settled_at < ? AND kind NOT LIKE '%.carryOut' LIMIT ?)`,
  )
  const seen = db.prepare('DELETE FROM message_seen WHERE at < ?')
  const notifications = db.prepare('DELETE FROM notification WHERE at < ?')
  const deadLetters = db.prepare('DELETE FROM dead_letter WHERE at < ?')
  const images = db.prepare('DELETE FROM before_image WHERE at < ?')
  const calls = db.prepare('DELETE FROM model_call WHERE id IN (SELECT id FROM model_call WHERE at < ? LIMIT ?)')

  return {
    /** Finished ticks leave no trace of how they ran; quiet ones that ended before this time leave none at all. */
    ticks(keepQuietSince: number): boolean {
      const ids = finishedTicks.all(atOnce)
      for (const id of ids) {
        forgetJournal.run(id)
        forgetWork.run(id)
        forgetActor.run(id)
      }
      quietTicks.run(keepQuietSince)
      for (const { id, version } of longLived.all()) trimJournal.run(id, version - stepsKept)
      return ids.length === atOnce
    },
    /** What is older than its time. */
    aged(retention: Retention): boolean {
      const old = oldEvaluations.all(retention.journalBefore, atOnce)
      for (const { id, states } of old) {
        forgetJournal.run(id)
        summarise.run(JSON.stringify({ type: 'summary', states: JSON.parse(states) as unknown }), id)
        forgetActor.run(id)
      }
      const work = settledWork.run(retention.journalBefore, atOnce).changes
      const answered = calls.run(retention.journalBefore, atOnce).changes
      seen.run(retention.seenSince)
      notifications.run(retention.notificationsSince)
      deadLetters.run(retention.deadLettersSince)
      images.run(retention.imagesSince)
      return old.length === atOnce || work === atOnce || answered === atOnce
    },
  }
}
