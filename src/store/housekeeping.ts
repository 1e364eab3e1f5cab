import type { Day } from '../domain/usage.ts'
import { agentAge } from './agent-age.ts'
import { newestActor } from './inspection.ts'
import type { Db } from './open.ts'
import { forgetSessionWork } from './session-age.ts'
import { forgetUsage } from './usage-age.ts'

/** How many steps of the long-lived actors stay in the journal. */
const stepsKept = 200
const atOnce = 200
/** Of evaluations fewer: each has a journal, and everything else waits for a slice. */
const evaluationsAtOnce = 40

export interface Retention {
  now: number
  /**
   * Journals of evaluations that settled before this keep only a summary: each state, since when, and because of what.
   * Conversations of agents that ended before this go.
   */
  journalBefore: number
  /** Ids of messages given from outside are remembered since this. */
  seenSince: number
  notificationsSince: number
  deadLettersSince: number
  imagesSince: number
  /** Days from this one on keep what models used. */
  usageSince: Day
}

/** Where the looking through what is old goes on. */
export interface Mark {
  at: number
  id: string
}

export type Housekeeping = ReturnType<typeof housekeeping>

/** Keeps every table bounded. Each call does a slice of the work and says whether more is left. */
export function housekeeping(db: Db) {
  const finishedTicks = db.prepare<[number], { id: string; parent: string | null }>(
    `SELECT id, parent FROM actor WHERE ${isOther} AND kind = 'tick' AND status = 'done' AND id <> ${newestActor} LIMIT ?`,
  )
  const forgetJournal = db.prepare('DELETE FROM journal WHERE actor = ?')
  const forgetActor = db.prepare('DELETE FROM actor WHERE id = ?')
  // An actor's work is found by its keys, which begin with the actor: no index of its own is kept for this.
  const forgetWork = db.prepare(
    "DELETE FROM outbox WHERE key >= @actor || '/' AND key < @actor || '0' AND actor = @actor AND state NOT IN ('pending', 'started')",
  )
  const quietTicks = db.prepare("DELETE FROM tick WHERE state = 'quiet' AND ended_at < ?")
  const longLived = db.prepare<[], { id: string; version: number }>(
    `SELECT id, version FROM actor WHERE ${isOther} AND kind IN ('heartbeat', 'instance')`,
  )
  const trimJournal = db.prepare('DELETE FROM journal WHERE actor = ? AND version <= ?')
  const trimOne = db.prepare(
    "DELETE FROM journal WHERE actor = @id AND version <= (SELECT version FROM actor WHERE id = @id AND kind IN ('heartbeat', 'instance')) - @kept",
  )
  const oldEvaluations = db.prepare<{ before: number; limit: number }, { id: string; states: string }>(
    `SELECT e.id AS id, (SELECT json_group_array(json_array(to_state, at, event ->> '$.type')) FROM journal j WHERE j.actor = e.id) AS states
     FROM actor a JOIN evaluation e ON e.id = a.id WHERE a.status = 'done' AND a.updated_at < @before AND e.settled_at < @before LIMIT @limit`,
  )
  const summarise = db.prepare(
    `INSERT INTO journal(actor, version, event, from_state, to_state, at)
     SELECT id, version, ?, NULL, state, updated_at FROM actor WHERE id = ?`,
  )
  const settledWork = db.prepare(
    `DELETE FROM outbox WHERE key IN
     (SELECT key FROM outbox WHERE settled_at < ? AND kind NOT LIKE '%.carryOut' AND kind <> 'toolCall.run' LIMIT ?)`,
  )
  const seen = db.prepare('DELETE FROM message_seen WHERE at < ?')
  const notifications = db.prepare('DELETE FROM notification WHERE at < ?')
  const deadLetters = db.prepare('DELETE FROM dead_letter WHERE at < ?')
  const images = db.prepare('DELETE FROM before_image WHERE at < ?')
  const oldHistory = db.prepare<Mark & { before: number; limit: number }, Mark & { goes: number }>(
    `SELECT created_at AS at, id, ${goes} AS goes FROM evaluation e
     WHERE created_at < @before AND (created_at, id) > (@at, @id) ORDER BY created_at, id LIMIT @limit`,
  )
  const oldTicks = db.prepare<Mark & { before: number; limit: number }, Mark & { goes: number }>(
    `SELECT ended_at AS at, id, NOT EXISTS (SELECT 1 FROM evaluation WHERE evaluation.tick = t.id)
       AND generation < (SELECT max(generation) FROM tick newer WHERE newer.world = t.world) AS goes FROM tick t
     WHERE ended_at < @before AND (ended_at, id) > (@at, @id) ORDER BY ended_at, id LIMIT @limit`,
  )
  const forgetEvaluation = db.prepare('DELETE FROM evaluation WHERE id = ?')
  const forgetCard = db.prepare('DELETE FROM escalation WHERE id = ?')
  const forgetTick = db.prepare('DELETE FROM tick WHERE id = ?')
  const calls = db.prepare('DELETE FROM model_call WHERE id IN (SELECT id FROM model_call WHERE at < ? LIMIT ?)')
  const sessionWork = forgetSessionWork(db)
  const forgottenUsage = forgetUsage(db)
  const agents = agentAge(db)

  return {
    /** Finished ticks and agents leave no trace of how they ran; quiet ticks that ended before this time leave none at all. */
    ticks(keepQuietSince: number): boolean {
      const ended = finishedTicks.all(atOnce)
      for (const { id } of ended) {
        forgetJournal.run(id)
        forgetWork.run({ actor: id })
        forgetActor.run(id)
      }
      quietTicks.run(keepQuietSince)
      // Of the long-lived actors those that these ticks moved: looking at all would cost what there is, not what was done.
      const moved = new Set(['heartbeat', ...ended.flatMap(({ parent }) => parent ?? [])])
      for (const id of moved) trimOne.run({ id, kept: stepsKept })
      const overAgents = agents.finished()
      return ended.length === atOnce || overAgents
    },
    /** What is older than its time. */
    aged(retention: Retention): boolean {
      const old = oldEvaluations.all({ before: retention.journalBefore, limit: evaluationsAtOnce })
      for (const { id, states } of old) {
        forgetJournal.run(id)
        summarise.run(JSON.stringify({ type: 'summary', states: JSON.parse(states) as unknown }), id)
        forgetActor.run(id)
      }
      for (const { id, version } of longLived.all()) trimJournal.run(id, version - stepsKept)
      const work = settledWork.run(retention.journalBefore, atOnce).changes
      const answered = calls.run(retention.journalBefore, atOnce).changes
      seen.run(retention.seenSince)
      notifications.run(retention.notificationsSince)
      deadLetters.run(retention.deadLettersSince)
      images.run(retention.imagesSince)
      const answers = sessionWork(retention.journalBefore, atOnce)
      const used = forgottenUsage(retention.usageSince, atOnce)
      const conversations = agents.aged(retention.journalBefore, atOnce)
      return (
        old.length === evaluationsAtOnce || work === atOnce || answered === atOnce || used || conversations || answers
      )
    },
    /**
     * Evaluations that settled before this, with their cards and the records of what they carried out; and after them,
     * ticks of which none is left. Looks at a slice from `mark` on; returns where to go on, null at the end.
     */
    evaluations(before: number, mark: Mark | null): Mark | null {
      const rows = oldHistory.all({ ...(mark ?? start), before, limit: evaluationsAtOnce })
      for (const { id } of rows.filter(({ goes }) => goes === 1)) {
        forgetWork.run({ actor: id })
        for (const forget of [forgetJournal, forgetCard, forgetActor, forgetEvaluation]) forget.run(id)
      }
      return rows.length < evaluationsAtOnce ? null : rows.at(-1)!
    },
    oldTicks(before: number, mark: Mark | null): Mark | null {
      const rows = oldTicks.all({ ...(mark ?? start), before, limit: atOnce })
      for (const { id } of rows.filter(({ goes }) => goes === 1)) forgetTick.run(id)
      return rows.length < atOnce ? null : rows.at(-1)!
    },
  }
}

const start: Mark = { at: Number.MIN_SAFE_INTEGER, id: '' }

/** The few actors that are no evaluations; word for word what their index is for. */
const isOther = "kind <> 'evaluation'"

/**
 * True of an evaluation `e` that has long settled and that nothing refers to: no open card, no try of its task that is
 * to come, nor the last entry in the log of its task, which is kept for good.
 */
const goes = `coalesce(settled_at < @before, 0)
  AND NOT EXISTS (SELECT 1 FROM escalation card WHERE card.id = e.id AND card.state = 'open')
  AND NOT EXISTS (SELECT 1 FROM escalation card JOIN evaluation asks ON asks.id = card.id
    WHERE card.task = e.task AND card.state = 'open' AND asks.retry_of = e.id)
  AND NOT EXISTS (SELECT 1 FROM task WHERE task.id = e.task AND task.retry_of = e.id)
  AND EXISTS (SELECT 1 FROM evaluation newer WHERE newer.task = e.task AND (newer.created_at, newer.id) > (e.created_at, e.id))
  AND e.id IS NOT (SELECT newest.retry_of FROM evaluation newest WHERE newest.task = e.task
    ORDER BY newest.created_at DESC, newest.id DESC LIMIT 1)`
