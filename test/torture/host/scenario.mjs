import { linesIn } from '../lib/lines.mjs'
import { checkStore } from '../lib/store-check.mjs'
import { expected, operation } from './script.mjs'
import { traces } from './work.mjs'

/** The bare actor host under small charts: lives are short, so that there are many. @type {import('../lib/ordeal.mjs').Scenario} */
export const host = {
  name: 'host',
  life: new URL('life.mjs', import.meta.url).href,
  points: {
    begun: { weight: 1, mean: 15 },
    'before-commit': { weight: 2, mean: 15 },
    'after-commit': { weight: 2, mean: 15 },
    'before-work': { weight: 1, mean: 6 },
    'after-work': { weight: 1, mean: 6 },
    'before-effect': { weight: 2, mean: 6 },
    'after-effect': { weight: 2, mean: 6 },
  },
  longest: 250,
  twins: 0.1,
  async prepare() {},
  async check({ folder, seed }) {
    const { db, problems } = checkStore(`${folder}/state.db`)
    const sent = linesIn(`${folder}/sent.jsonl`).all()
    const end = Math.max(0, ...sent.map(({ begun = 0 }) => begun))
    problems.push(...counts(db, seed, end), ...jobs(db, folder), ...deadLetters(db))
    const jobCount = Array.from({ length: end }, (_, n) => operation(seed, n)).filter(({ act }) => act === 'job').length
    const made = db.prepare("SELECT count(*) FROM actor WHERE kind = 'job'").pluck().get()
    if (made !== jobCount) problems.push(`${jobCount} jobs were ordered and ${made} made`)
    const asked = db.prepare("SELECT count(*) FROM outbox WHERE state = 'unknown'").pluck().get()
    db.close()
    return { problems, facts: { messages: end, jobs: made, asked } }
  },
}

function counts(db, seed, end) {
  const problems = []
  const should = expected(seed, end)
  for (const { id, snapshot } of db.prepare("SELECT id, snapshot FROM actor WHERE kind = 'counter'").all()) {
    const { balance, jobs, notes } = JSON.parse(snapshot).context
    const [is, shall] = [JSON.stringify({ balance, jobs, notes }), JSON.stringify(should[id])]
    if (is !== shall) problems.push(`${id} stands at ${is}, not at ${shall}`)
    delete should[id]
  }
  for (const id of Object.keys(should)) problems.push(`${id} is missing`)
  return problems
}

/** Work that may be repeated happened at least once; other work once, and again only where the user had it done again. */
function jobs(db, folder) {
  const problems = []
  const times = new Map()
  for (const { key } of traces(folder).all()) times.set(key, (times.get(key) ?? 0) + 1)
  const again = new Map()
  for (const { job } of linesIn(`${folder}/again.jsonl`).all()) again.set(job, (again.get(job) ?? 0) + 1)
  const known = new Set()
  const perJob = new Map()
  for (const { key, actor, state, input } of db.prepare('SELECT key, actor, state, input FROM outbox').all()) {
    const { kind } = JSON.parse(input)
    const count = times.get(key) ?? 0
    known.add(key)
    const job = perJob.get(actor) ?? { kind, count: 0 }
    job.count += count
    perJob.set(actor, job)
    if (state === 'done' && count === 0) problems.push(`${key} is done but never happened`)
    if (state === 'failed' && kind !== 'flaky') problems.push(`${key} failed`)
    if (count > 1 && (kind === 'once' || kind === 'checked')) problems.push(`${key} (${kind}) happened ${count} times`)
    if (state === 'unknown' && kind !== 'once') problems.push(`${key} (${kind}) was asked about`)
  }
  for (const key of times.keys()) if (!known.has(key)) problems.push(`${key} happened but was never ordered`)
  for (const [job, { kind, count }] of perJob) {
    if (count === 0) problems.push(`${job} is over but never happened`)
    if (kind === 'checked' && count !== 1) problems.push(`${job} happened ${count} times`)
    if (kind === 'once' && count > 1 + (again.get(job) ?? 0)) problems.push(`${job} happened ${count} times unasked`)
  }
  for (const { id, status, state } of db.prepare("SELECT id, status, state FROM actor WHERE kind = 'job'").all())
    if (status !== 'done' || state !== 'done') problems.push(`${id} is ${state}`)
  return problems
}

const deadLetters = (db) =>
  db
    .prepare("SELECT actor, event, reason FROM dead_letter WHERE reason NOT LIKE '%broken on purpose'")
    .all()
    .map(({ actor, event, reason }) => `dead letter to ${actor}: ${event}, because ${reason}`)
