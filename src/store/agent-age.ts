import { newestActor } from './inspection.ts'
import type { Db } from './open.ts'

/** A run has up to some hundred calls: so many runs are a slice. */
const runsAtOnce = 10

/**
 * Whatever a run's actors are called begins with the run's own id: its own are `run` and `run#n`, their work `run/…` and
 * `run#n/…`. These are all that stand from `run` on up to the first name after them.
 */
const firstAfter = (run: string): string => `${run}0`

/** True for the work of a call that changed nothing: its run's conversation says so. What is not known is kept. */
const changedNothing = `EXISTS (SELECT 1 FROM agent_step
  WHERE run = outbox.input ->> '$.run' AND n = outbox.input ->> '$.n' AND effect = 0)`

/** Lets go of what agents leave behind, a slice at a time. The record of what their calls changed stays. */
export function agentAge(db: Db) {
  const finished = db
    .prepare<[number], string>(
      `SELECT id FROM actor AS run WHERE kind <> 'evaluation' AND kind = 'agentRun' AND status = 'done'
       AND NOT EXISTS (SELECT 1 FROM actor WHERE id > run.id AND id < run.id || '0' AND status = 'active')
       AND ${newestActor} NOT BETWEEN run.id AND run.id || '0' LIMIT ?`,
    )
    .pluck()
  const forgetJournals = db.prepare('DELETE FROM journal WHERE actor >= ? AND actor < ?')
  const forgetActors = db.prepare('DELETE FROM actor WHERE id >= ? AND id < ?')
  const forgetWork = db.prepare(
    `DELETE FROM outbox WHERE key > ? AND key < ? AND state NOT IN ('pending', 'started')
     AND (kind <> 'toolCall.run' OR ${changedNothing})`,
  )
  const oldReads = db.prepare(
    `DELETE FROM outbox WHERE key IN
     (SELECT key FROM outbox WHERE settled_at < ? AND kind = 'toolCall.run' AND ${changedNothing} LIMIT ?)`,
  )
  // Work that was interrupted may yet ask how its run ended, and would begin it anew if nobody knew.
  const isOld = `ended_at < ? AND NOT EXISTS
    (SELECT 1 FROM evaluation WHERE id = agent_run.evaluation AND state = 'inProgress')`
  const oldSteps = db.prepare(
    `DELETE FROM agent_step WHERE (run, n) IN
     (SELECT run, n FROM agent_run JOIN agent_step ON run = id WHERE ${isOld} LIMIT ?)`,
  )
  const oldRuns = db.prepare(
    `DELETE FROM agent_run WHERE id IN
     (SELECT id FROM agent_run WHERE ${isOld} AND NOT EXISTS (SELECT 1 FROM agent_step WHERE run = id) LIMIT ?)`,
  )

  return {
    /** Of a run that is over only its row and its conversation stay; true when more are over. */
    finished(): boolean {
      const runs = finished.all(runsAtOnce)
      for (const run of runs) {
        const whole = [run, firstAfter(run)] as const
        forgetJournals.run(...whole)
        forgetWork.run(...whole)
        forgetActors.run(...whole)
      }
      return runs.length === runsAtOnce
    },
    /** Runs that ended before this leave nothing else than what they changed; true when more of them is left. */
    aged(before: number, atOnce: number): boolean {
      const reads = oldReads.run(before, atOnce).changes
      // Only their conversations tell which calls changed nothing.
      if (reads === atOnce) return true
      const steps = oldSteps.run(before, atOnce).changes
      const runs = oldRuns.run(before, atOnce).changes
      return steps === atOnce || runs === atOnce
    },
  }
}
