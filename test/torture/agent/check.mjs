import { existsSync, readFileSync } from 'node:fs'
import { checkStore } from '../lib/store-check.mjs'
import { recordsIn, workspaceIn } from './places.mjs'

/** @typedef {import('better-sqlite3').Database} Db */

/** What must hold of a workspace whose agents have all come to their end. @param {import('../lib/ordeal.mjs').Place} place */
export async function check({ folder }) {
  const state = `${workspaceIn(folder)}/.undermind`
  const { db, problems } = checkStore(`${state}/state.db`, { trimmed: ['heartbeat', 'instance'] })
  problems.push(...ends(db), ...thoughts(db, folder), ...calls(db), ...posts(db, folder), ...notes(db, folder))
  problems.push(...files(db, folder), ...unknowns(db))
  if (existsSync(`${state}/lock`)) problems.push('the lock is still there')
  const count = (sql) => db.prepare(`SELECT count(*) FROM ${sql}`).pluck().get()
  const facts = {
    runs: count('agent_run'),
    steps: count('agent_step'),
    toolCalls: count("outbox WHERE kind = 'toolCall.run'"),
    posted: recordsIn(folder).posted.all().length,
    noted: recordsIn(folder).noted.all().length,
    unknown: count("outbox WHERE state = 'unknown'"),
    proposing: count("agent_run WHERE state = 'proposing'"),
    failed: count("agent_run WHERE state = 'failed'"),
    summaries: count("agent_step WHERE kind = 'summary'"),
    cards: count('escalation'),
  }
  db.close()
  return { problems, facts }
}

/** Every run has ended as its actor has, its evaluation with it, and no tool has been left unanswered. */
function ends(/** @type {Db} */ db) {
  const problems = db
    .prepare(
      "SELECT id, state FROM agent_run WHERE ended_at IS NULL OR state NOT IN ('answered', 'proposing', 'unknown', 'failed', 'cancelled')",
    )
    .all()
    .map(({ id, state }) => `${id} has not ended: ${state}`)
  for (const { id, row, actor } of db
    .prepare(
      'SELECT r.id, r.state AS row, a.state AS actor FROM agent_run r JOIN actor a ON a.id = r.id WHERE r.state <> a.state',
    )
    .all())
    problems.push(`${id} is shown as ${row}, but it is ${actor}`)
  for (const { id, state } of db
    .prepare("SELECT id, state FROM actor WHERE kind = 'toolCall' AND status = 'active'")
    .all())
    problems.push(`${id} is still ${state}`)
  for (const { id, phase } of db.prepare("SELECT id, phase FROM evaluation WHERE state = 'inProgress'").all())
    problems.push(`${id} is still in progress (${phase})`)
  // The user had it stopped, or nobody lived while its time ran out.
  for (const { id, failure } of db.prepare("SELECT id, failure FROM agent_run WHERE state = 'failed'").all())
    if (!/"agent\/(?:stopped|out-of-time)"/.test(failure)) problems.push(`${id} failed: ${failure}`)
  for (const { actor, event, reason } of db.prepare('SELECT actor, event, reason FROM dead_letter').all())
    problems.push(`dead letter to ${actor}: ${event}, because ${reason}`)
  return problems
}

/** An agent is asked for what it has not said yet, and for nothing that is in the rows. */
const thoughts = (/** @type {Db} */ _db, /** @type {string} */ folder) =>
  recordsIn(folder)
    .asked.all()
    .filter(({ shown, kept }) => shown !== kept)
    .map(({ run, shown, kept }) => `${run} was asked with ${shown} turns of its own, but ${kept} were kept`)

/** A call that was to run was ordered once, and whoever was answered knows the outcome that the order has. */
function calls(/** @type {Db} */ db) {
  const problems = []
  const orders = db.prepare("SELECT key, state FROM outbox WHERE actor = ? || '#' || ?")
  for (const { run, n, state, open, message } of db
    .prepare(
      `SELECT s.run, s.n, s.open, s.message, r.state FROM agent_step s JOIN agent_run r ON r.id = s.run
       WHERE s.kind = 'tool' AND s.call IS NOT NULL`,
    )
    .all()) {
    const ordered = orders.all(run, n)
    const { text } = JSON.parse(message)
    if (ordered.length > 1) problems.push(`call ${n} of ${run} was ordered ${ordered.length} times`)
    const [order] = ordered
    if (order === undefined) continue
    if (order.state === 'done' && (open === 1 || text === ''))
      problems.push(`call ${n} of ${run} is done, but not answered`)
    if (order.state === 'failed' && !text.startsWith('Failed: ')) problems.push(`call ${n} of ${run} failed unsaid`)
    if (order.state === 'unknown' && state !== 'unknown') problems.push(`${run} is ${state} after an unknown call`)
    if (order.state === 'failed') problems.push(`call ${n} of ${run} failed: ${text}`)
  }
  return problems
}

/** A post was made once, and again only where the user had it made again; one that is done was made. */
function posts(/** @type {Db} */ db, /** @type {string} */ folder) {
  const { posted, again } = recordsIn(folder)
  const problems = []
  const byKey = countBy(posted.all(), ({ key }) => key)
  const byNonce = countBy(posted.all(), ({ evaluation, nonce }) => `${evaluation} ${nonce}`)
  const allowed = countBy(again.all(), ({ evaluation, nonce }) => `${evaluation} ${nonce}`)
  const order = db.prepare('SELECT state FROM outbox WHERE key = ?').pluck()
  for (const [key, times] of byKey) {
    if (times > 1) problems.push(`${key} posted ${times} times`)
    if (order.get(key) === undefined) problems.push(`${key} posted and was never ordered`)
  }
  for (const [name, times] of byNonce)
    if (times > 1 + (allowed.get(name) ?? 0)) problems.push(`${name} was posted ${times} times`)
  for (const { key, tool } of doneCalls(db))
    if (tool === 'post' && !byKey.has(key)) problems.push(`${key} is done, but nothing was posted`)
  return problems
}

/** A note may be made again, always under the same key, until its outcome is known. */
function notes(/** @type {Db} */ db, /** @type {string} */ folder) {
  const { noted } = recordsIn(folder)
  const problems = []
  const keys = new Map()
  for (const { key, evaluation, nonce, settled } of noted.all()) {
    const name = `${evaluation} ${nonce}`
    keys.set(name, (keys.get(name) ?? new Set()).add(key))
    if (settled) problems.push(`${key} noted again after its outcome was known`)
  }
  for (const [name, used] of keys)
    if (used.size > 1) problems.push(`${name} was noted under ${[...used].join(' and ')}`)
  const made = new Set(noted.all().map(({ key }) => key))
  for (const { key, tool } of doneCalls(db))
    if (tool === 'note' && !made.has(key)) problems.push(`${key} is done, but not noted`)
  return problems
}

/** What stands in a file was written by a call that is known to have been made; the tool itself can always tell. */
function files(/** @type {Db} */ db, /** @type {string} */ folder) {
  const problems = []
  const written = doneCalls(db).filter(({ tool }) => tool === 'write_file')
  for (const name of [1, 2, 3, 4, 5].flatMap((n) => [`LOG-${n}.md`, `PLAN-${n}.md`])) {
    const file = `${workspaceIn(folder)}/${name}`
    if (!existsSync(file)) continue
    const text = readFileSync(file, 'utf8')
    if (!written.some(({ args }) => args.path === name && args.content === text))
      problems.push(`${name} holds what no finished call has written`)
  }
  for (const { key, tool } of unknownCalls(db)) if (tool !== 'post') problems.push(`${key} (${tool}) is unknown`)
  return problems
}

/** Whatever is unknown was asked about. */
function unknowns(/** @type {Db} */ db) {
  const asked = new Set(db.prepare("SELECT id FROM escalation WHERE kind = 'unknown'").pluck().all())
  const carriedOn = new Set(
    db
      .prepare(`SELECT actor FROM journal WHERE event LIKE '{"type":"checked"%' OR event LIKE '{"type":"approve"%'`)
      .pluck()
      .all(),
  )
  return unknownCalls(db)
    .map(({ key }) => key.slice(0, key.search(/[#/]/)))
    .filter((evaluation) => !asked.has(evaluation) && !carriedOn.has(evaluation))
    .map((evaluation) => `nobody was asked about an unknown call of ${evaluation}`)
}

const callsIn = (/** @type {Db} */ db, /** @type {string} */ state) =>
  db
    .prepare(
      `SELECT o.key, coalesce(s.call, json_extract(o.input, '$.call')) AS call FROM outbox o
       LEFT JOIN agent_step s ON o.kind = 'toolCall.run' AND o.actor = s.run || '#' || s.n
       WHERE o.state = ? AND (o.kind = 'toolCall.run' OR o.invoke = 'carryOut')`,
    )
    .all(state)
    .map(({ key, call }) => ({ key, tool: JSON.parse(call).tool, args: JSON.parse(call).arguments }))

const doneCalls = (/** @type {Db} */ db) => callsIn(db, 'done')
const unknownCalls = (/** @type {Db} */ db) => callsIn(db, 'unknown')

function countBy(items, keyOf) {
  const counts = new Map()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return counts
}
