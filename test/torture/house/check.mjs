import { existsSync } from 'node:fs'
import { checkStore } from '../lib/store-check.mjs'
import { effects } from './check-effects.mjs'
import { marks } from './check-marks.mjs'
import { recordsIn, workspaceIn } from './places.mjs'

/** @typedef {import('better-sqlite3').Database} Db */

/** What must hold of a workspace that has come to rest. @param {import('../lib/ordeal.mjs').Place} place */
export async function check({ folder, dist }) {
  const state = `${workspaceIn(folder)}/.undermind`
  const { db, problems } = checkStore(`${state}/state.db`, { trimmed: ['heartbeat', 'instance'] })
  problems.push(
    ...evaluations(db),
    ...answers(db, folder),
    ...ticks(db, folder),
    ...deadLetters(db),
    ...(await replays(db, dist)),
    ...effects(db, folder),
    ...(await marks(db, folder, dist)),
  )
  if (existsSync(`${state}/lock`)) problems.push('the lock is still there')
  const count = (sql) => db.prepare(`SELECT count(*) FROM ${sql}`).pluck().get()
  const facts = {
    ticks: count('tick'),
    evaluations: count('evaluation'),
    cards: count('escalation'),
    approved: count("escalation WHERE state = 'approved'"),
    sent: recordsIn(folder).sent.all().length,
    unknown: count("outbox WHERE state = 'unknown'"),
    changes: count('change'),
  }
  db.close()
  return { problems, facts }
}

/** Each is over or waits, is what its actor is, is the only one of its task in its tick, and has a card while it waits. */
function evaluations(/** @type {Db} */ db) {
  const problems = []
  for (const { id, phase } of db.prepare("SELECT id, phase FROM evaluation WHERE state = 'inProgress'").all())
    problems.push(`${id} is still in progress (${phase})`)
  for (const { tick, task, n } of db
    .prepare('SELECT tick, task, count(*) AS n FROM evaluation WHERE tick IS NOT NULL GROUP BY tick, task HAVING n > 1')
    .all())
    problems.push(`${task} has ${n} evaluations in ${tick}`)
  for (const { id, row, actor } of db
    .prepare(
      'SELECT e.id, e.state AS row, a.state AS actor FROM evaluation e JOIN actor a ON a.id = e.id WHERE e.state <> a.state',
    )
    .all())
    problems.push(`${id} is shown as ${row}, but it is ${actor}`)
  for (const { id, state, card } of db
    .prepare(
      "SELECT e.id, e.state, c.state AS card FROM evaluation e LEFT JOIN escalation c ON c.id = e.id WHERE (e.state = 'awaitingApproval') <> (coalesce(c.state, '') = 'open')",
    )
    .all())
    problems.push(`${id} is ${state}, its card is ${card}`)
  for (const { id } of db
    .prepare(
      "SELECT a.id FROM actor a WHERE a.kind = 'evaluation' AND a.state = 'awaitingApproval' AND (SELECT count(*) FROM timer t WHERE t.actor = a.id) <> 1",
    )
    .all())
    problems.push(`${id} waits without exactly one timer`)
  return problems
}

/** An answer counts once, however often it was given; and one that the user was told had been taken was. */
function answers(/** @type {Db} */ db, /** @type {string} */ folder) {
  const problems = []
  const seen = new Set()
  for (const { actor, event } of db.prepare('SELECT actor, event FROM journal WHERE event LIKE \'%"answer"%\'').all()) {
    const { type, answer } = JSON.parse(event)
    if (!['approve', 'dismiss', 'respond', 'checked'].includes(type)) continue
    if (seen.has(`${actor} ${answer}`)) problems.push(`${actor} took the answer ${answer} twice`)
    seen.add(`${actor} ${answer}`)
  }
  const summarised = new Set(
    db.prepare(`SELECT actor FROM journal WHERE event LIKE '{"type":"summary"%'`).pluck().all(),
  )
  for (const { evaluation, answer } of recordsIn(folder).taken.all())
    if (!summarised.has(evaluation) && !seen.has(`${evaluation} ${answer}`))
      problems.push(`${evaluation} has lost the approval ${answer}`)
  return problems
}

/** Every tick has ended and its world counts them upwards only. */
function ticks(/** @type {Db} */ db, /** @type {string} */ folder) {
  const problems = []
  for (const { id, state } of db.prepare('SELECT id, state FROM tick WHERE ended_at IS NULL').all())
    problems.push(`${id} has not ended: ${state}`)
  for (const { generation, n } of db
    .prepare('SELECT generation, count(*) AS n FROM tick GROUP BY generation HAVING n > 1')
    .all())
    problems.push(`${n} ticks are of generation ${generation}`)
  const { generation, state } = db.prepare("SELECT generation, state FROM world WHERE id = 'memory'").get()
  if (state !== 'resting') problems.push(`the world is ${state}`)
  const found = [
    ...recordsIn(folder)
      .found.all()
      .map((line) => line.generation),
    generation,
  ]
  for (const [index, now] of found.entries())
    if (index > 0 && now < found[index - 1]) problems.push(`generation ${found[index - 1]} was followed by ${now}`)
  const last = db.prepare('SELECT max(generation) FROM tick').pluck().get()
  if (last > generation) problems.push(`there is a tick of generation ${last} in a world at ${generation}`)
  return problems
}

const deadLetters = (/** @type {Db} */ db) =>
  db
    .prepare('SELECT actor, event, reason FROM dead_letter')
    .all()
    .map(({ actor, event, reason }) => `dead letter to ${actor}: ${event}, because ${reason}`)

/** The chart alone, given the journal's events, goes the way that the journal says it went. */
async function replays(/** @type {Db} */ db, /** @type {string} */ dist) {
  const { replayEvaluation } = await import(`${dist}/house/replay.js`)
  const problems = []
  const journal = db.prepare(
    'SELECT seq, actor, version, sender, event, from_state AS fromState, to_state AS toState, at FROM journal WHERE actor = ? ORDER BY version',
  )
  for (const id of db.prepare("SELECT id FROM actor WHERE kind = 'evaluation'").pluck().all()) {
    const wrong = replayEvaluation(journal.all(id)).find(({ recorded, replayed }) => recorded !== replayed)
    if (wrong) problems.push(`${id} replays at ${wrong.version} to ${wrong.replayed}, not to ${wrong.recorded}`)
  }
  return problems
}
