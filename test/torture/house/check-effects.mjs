import { existsSync, readFileSync } from 'node:fs'
import { recordsIn, workspaceIn } from './places.mjs'

/**
 * Every call happened as often as the user said: once when it was approved or asked for, never without, and again only
 * where the user had it run again. What happened is told by the world outside, not by the store.
 * @param {import('better-sqlite3').Database} db @param {string} folder
 */
export function effects(db, folder) {
  const problems = []
  const { sent, again } = recordsIn(folder)
  const sentBy = countBy(sent.all(), ({ key }) => key)
  const againOf = countBy(again.all(), ({ evaluation, nonce }) => `${evaluation} ${nonce}`)
  const agenda = `${workspaceIn(folder)}/AGENDA.md`
  const appended = countBy(existsSync(agenda) ? readFileSync(agenda, 'utf8').split('\n') : [], (line) => line)
  const known = new Set()
  const calls = new Map()

  for (const { key, actor, state, input } of db
    .prepare("SELECT key, actor, state, input FROM outbox WHERE invoke = 'carryOut'")
    .all()) {
    known.add(key)
    const { call } = JSON.parse(input)
    const name = `${actor} ${JSON.stringify(call)}`
    const so = calls.get(name) ?? { evaluation: actor, call, states: [], times: 0 }
    calls.set(name, so)
    so.states.push(state)
    if (call.tool !== 'send') continue
    const times = sentBy.get(key) ?? 0
    so.times += times
    if (times > 1) problems.push(`${key} sent ${times} times`)
    if (state === 'done' && times === 0) problems.push(`${key} is done, but nothing was sent`)
    if (state === 'failed') problems.push(`${key} failed`)
  }
  for (const key of sentBy.keys()) if (!known.has(key)) problems.push(`${key} sent something and was never ordered`)

  const completed = new Set(db.prepare(carriedOut).pluck().all())
  for (const { evaluation, call, states, times } of calls.values()) {
    const isOver = completed.has(evaluation)
    if (states.filter((one) => one === 'done').length > 1)
      problems.push(`${evaluation} did ${JSON.stringify(call)} twice`)
    if (call.tool === 'send') {
      const allowed = 1 + (againOf.get(`${evaluation} ${call.arguments.nonce}`) ?? 0)
      if (times > allowed)
        problems.push(`${evaluation} sent ${call.arguments.nonce} ${times} times, allowed were ${allowed}`)
      if (isOver && times === 0) problems.push(`${evaluation} is carried out, but ${call.arguments.nonce} was not sent`)
    }
    if (call.tool === 'append_file') {
      const count = appended.get(call.arguments.text) ?? 0
      if (count > 1) problems.push(`${evaluation} appended ${call.arguments.text} ${count} times`)
      if ((isOver || states.includes('done')) && count === 0)
        problems.push(`${evaluation} did not append ${call.arguments.text}`)
    }
  }
  return [...problems, ...unasked(db), ...incomplete(db)]
}

/** Evaluations whose last step was the end of their last call, rather than a reply that made another end of it. */
const carriedOut = `
  SELECT a.id FROM actor a JOIN journal j ON j.actor = a.id AND j.version = a.version
  WHERE a.state = 'acted' AND (j.event LIKE '{"type":"xstate.done.actor.carryOut"%' OR j.event LIKE '{"type":"checked"%')`

/** Carried out without the user's approval, or words of the user's that ask for it. */
function unasked(db) {
  const allowed = db
    .prepare(
      `SELECT DISTINCT actor FROM journal WHERE event LIKE '{"type":"approve"%' OR event LIKE '%"standing":"covered"%'
       OR event LIKE '{"type":"summary"%'`,
    )
    .pluck()
    .all()
  return db
    .prepare("SELECT DISTINCT actor FROM outbox WHERE invoke = 'carryOut'")
    .pluck()
    .all()
    .filter((actor) => !allowed.includes(actor))
    .map((actor) => `${actor} was carried out unasked`)
}

/** Carried out, yet with fewer calls ordered than the card showed. */
function incomplete(db) {
  const problems = []
  const ordered = db.prepare("SELECT input FROM outbox WHERE actor = ? AND invoke = 'carryOut'").pluck()
  for (const { id, calls } of db
    .prepare(
      "SELECT c.id, c.calls FROM escalation c JOIN evaluation e ON e.id = c.id WHERE c.state = 'approved' AND e.state = 'acted'",
    )
    .all()) {
    const done = new Set(ordered.all(id).map((input) => JSON.stringify(JSON.parse(input).call)))
    for (const call of JSON.parse(calls))
      if (!done.has(JSON.stringify(call)))
        problems.push(`${id} was approved, but ${JSON.stringify(call)} was never ordered`)
  }
  return problems
}

function countBy(items, keyOf) {
  const counts = new Map()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return counts
}
