import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { recordsIn, workspaceIn } from './places.mjs'

const movesMark = new Set(['acted', 'skipped', 'awaitingApproval'])

/**
 * Nothing that changed was lost: each line that stands in a file is in the sequence of changes once, each task's marks
 * move over that sequence without a gap, and whatever a mark has passed had been shown to the model for that task.
 * @param {import('better-sqlite3').Database} db @param {string} folder @param {string} dist
 */
export async function marks(db, folder, dist) {
  const { watches } = await import(`${dist}/memory/inputs.js`)
  const problems = linesLost(db, folder)
  const changes = db
    .prepare('SELECT seq, source, key, lines FROM change ORDER BY seq')
    .all()
    .map(({ lines, ...row }) => ({ ...row, added: JSON.parse(lines).added.filter((line) => line.startsWith('line ')) }))
  const shown = shownPerTask(folder)
  const statesOf = db.prepare('SELECT event, to_state AS "to" FROM journal WHERE actor = ? ORDER BY version')
  const evaluationsOf = db.prepare(
    'SELECT id, from_seq AS "from", through_seq AS through FROM evaluation WHERE task = ? AND tick IS NOT NULL',
  )
  for (const task of db.prepare("SELECT * FROM task WHERE judge = 'model'").all()) {
    const inputs = JSON.parse(task.inputs)
    const seen = shown.get(task.id) ?? { latest: new Map(), lines: new Set() }
    let mark = 0
    for (const { id, from, through } of evaluationsOf
      .all(task.id)
      .sort((a, b) => generationOf(a.id) - generationOf(b.id))) {
      if (!statesOf.all(id).some(passedMark)) continue
      if (from !== mark) problems.push(`${id} begins after change ${from}, but ${task.id} was judged up to ${mark}`)
      mark = Math.max(mark, through)
    }
    if (mark !== task.judged_through)
      problems.push(`${task.id} is marked as judged up to ${task.judged_through}, its evaluations reach ${mark}`)
    for (const { seq, source, key, added } of changes) {
      if (!watches(inputs, source, key)) continue
      const isLive = task.enabled === 1 && task.retired === 0 && task.completed === 0 && task.paused === null
      if (seq > mark && isLive && JSON.parse(task.schedule).kind === 'every-tick')
        problems.push(`${task.title} was never judged on change ${seq} (${key})`)
      if (seq > mark) continue
      // Several changes of one item between two looks are shown as one, under the number of the last.
      if (!((seen.latest.get(key) ?? 0) >= seq))
        problems.push(`change ${seq} (${key}) was never shown for ${task.title}`)
      for (const line of added)
        if (!seen.lines.has(line)) problems.push(`“${line}” of change ${seq} was never shown for ${task.title}`)
    }
  }
  return problems
}

/** `ev_<world>_<generation>_<task>` */
const generationOf = (/** @type {string} */ id) => Number(/^ev_memory_(\d+)_/.exec(id)?.[1])

const passedMark = ({ event, to }) =>
  movesMark.has(to) ||
  (event.startsWith('{"type":"summary"') && JSON.parse(event).states.some(([state]) => movesMark.has(state)))

/** For each task, the last change of each item that the model was shown for it, and all lines. */
function shownPerTask(folder) {
  const shown = new Map()
  for (const { tasks, changes, lines } of recordsIn(folder).shown.all()) {
    for (const task of tasks) {
      const seen = shown.get(task) ?? { latest: new Map(), lines: new Set() }
      for (const [seq, key] of changes) seen.latest.set(key, Math.max(seq, seen.latest.get(key) ?? 0))
      for (const line of lines) seen.lines.add(line)
      shown.set(task, seen)
    }
  }
  return shown
}

function linesLost(db, folder) {
  const problems = []
  const times = new Map()
  for (const lines of db.prepare('SELECT lines FROM change').pluck().all())
    for (const line of JSON.parse(lines).added) times.set(line, (times.get(line) ?? 0) + 1)
  const pruned = db.prepare('SELECT min(seq) > 1 FROM change').pluck().get() === 1
  for (const name of ['notes', 'inbox']) {
    const path = `${workspaceIn(folder)}/${name}`
    if (!existsSync(path)) continue
    for (const file of readdirSync(path)) {
      for (const line of readFileSync(`${path}/${file}`, 'utf8').split('\n')) {
        const count = times.get(line) ?? 0
        if (line.startsWith('line ') && (count > 1 || (count === 0 && !pruned)))
          problems.push(`“${line}” of ${name}/${file} is ${count} times among the changes`)
      }
    }
  }
  return problems
}
