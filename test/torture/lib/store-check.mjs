import Database from 'better-sqlite3'

/** @typedef {import('better-sqlite3').Database} Db */

/**
 * Opens a store that nobody writes to and looks for what must never be in one: damage, an actor that its journal does not
 * explain, work or timers that nobody waits for.
 * @param {string} file
 * @param {{ trimmed?: string[] }} options kinds of actors whose journal is kept from some step on only
 * @returns {{ db: Db, problems: string[] }}
 */
export function checkStore(file, { trimmed = [] } = {}) {
  const db = new Database(file, { readonly: true })
  const problems = []
  const integrity = db.pragma('integrity_check', { simple: true })
  if (integrity !== 'ok') problems.push(`integrity_check: ${integrity}`)
  problems.push(...journals(db, trimmed))
  for (const { key, state } of db.prepare("SELECT key, state FROM outbox WHERE state IN ('pending', 'started')").all())
    problems.push(`work ${key} is still ${state}`)
  for (const { actor, name } of db
    .prepare("SELECT t.actor, t.name FROM timer t LEFT JOIN actor a ON a.id = t.actor WHERE a.status IS NOT 'active'")
    .all())
    problems.push(`timer ${name} of ${actor}, which is no live actor`)
  return { db, problems }
}

/** Each actor stands where the last of an unbroken row of journal entries left it. @param {Db} db @param {string[]} trimmed */
function journals(db, trimmed) {
  const problems = []
  const entries = db.prepare(
    'SELECT version, from_state AS "from", to_state AS "to" FROM journal WHERE actor = ? ORDER BY version',
  )
  for (const actor of db.prepare('SELECT id, kind, version, status, state, snapshot FROM actor ORDER BY id').all()) {
    const rows = entries.all(actor.id)
    const first = rows[0]?.version ?? 1
    if (first !== 1 && !trimmed.includes(actor.kind)) problems.push(`${actor.id}: its journal begins at ${first}`)
    if (actor.version !== first - 1 + rows.length)
      problems.push(`${actor.id} is at version ${actor.version}, its journal has ${rows.length} entries from ${first}`)
    let at = first === 1 ? null : rows[0].from
    for (const [index, { version, from, to }] of rows.entries()) {
      if (version !== first + index)
        problems.push(`${actor.id}: journal entry ${version} where ${first + index} should be`)
      if (from !== at) problems.push(`${actor.id}: entry ${version} goes on from ${from}, but it stood at ${at}`)
      at = to
    }
    if (at !== actor.state) problems.push(`${actor.id} is ${actor.state}, its journal ends at ${at}`)
    if ((actor.status === 'done') !== (actor.snapshot === null))
      problems.push(`${actor.id} is ${actor.status} and ${actor.snapshot === null ? 'has no' : 'has a'} snapshot`)
  }
  return problems
}
