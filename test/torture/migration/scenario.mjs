import { existsSync, readdirSync } from 'node:fs'
import Database from 'better-sqlite3'
import { linesIn } from '../lib/lines.mjs'
import { ballast } from './steps.mjs'

const reached = (/** @type {string} */ folder) => linesIn(`${folder}/reached.jsonl`)
const reachedBy = (/** @type {string} */ folder) =>
  Math.max(
    0,
    ...reached(folder)
      .all()
      .map(({ version }) => version),
  )

/** A store that newer and newer builds bring to their versions. @type {import('../lib/ordeal.mjs').Scenario} */
export const migration = {
  name: 'migration',
  life: new URL('life.mjs', import.meta.url).href,
  points: {
    'before-copy': { weight: 1, mean: 1 },
    'after-copy': { weight: 2, mean: 1 },
    'before-step': { weight: 1, mean: 1.5 },
    'after-step': { weight: 2, mean: 1.5 },
    'before-commit': { weight: 2, mean: 1.5 },
  },
  longest: 120,
  async prepare() {},
  /** The same build tries until it has come through; then a newer one follows, sometimes several versions at once. */
  between(place, random) {
    const at = reachedBy(place.folder)
    if (at >= (place.version ?? 0)) place.version = at === 0 ? 1 : at + random.count(1.5)
    return { version: place.version }
  },
  async check({ folder }) {
    const file = `${folder}/state.db`
    const names = readdirSync(folder)
    const versions = [
      ...new Set(
        reached(folder)
          .all()
          .map(({ version }) => version),
      ),
    ].sort((a, b) => a - b)
    const last = versions.at(-1)
    const problems = storeAt(file, last)
    for (const version of versions.slice(0, -1)) {
      if (!existsSync(`${file}.v${version}.bak`)) problems.push(`no copy was kept of version ${version}`)
    }
    for (const name of names) {
      const version = /^state\.db\.v(\d+)\.bak$/.exec(name)?.[1]
      if (version !== undefined) problems.push(...storeAt(`${folder}/${name}`, Number(version)))
      else if (!['state.db', 'reached.jsonl'].includes(name) && !beingTaken.test(name))
        problems.push(`${name} was left behind`)
    }
    return { problems, facts: { versions: last } }
  },
}

/** Left by one that was killed while it took the lock; swept away when it is a minute old. */
const beingTaken = /^lock\.[0-9a-f-]{36}(\.old)?$/

/** A store is wholly at a version, every step having run once. */
function storeAt(/** @type {string} */ file, /** @type {number} */ version) {
  try {
    const db = new Database(file, { readonly: true })
    const problems = []
    const integrity = db.pragma('integrity_check', { simple: true })
    if (integrity !== 'ok') problems.push(`${file}: ${integrity}`)
    const at = db.pragma('user_version', { simple: true })
    if (at !== version) problems.push(`${file} is at version ${at}, not ${version}`)
    const counted = db.prepare('SELECT n, count(*) AS rows FROM ballast GROUP BY n').all()
    if (counted.length !== 1 || counted[0].n !== version || counted[0].rows !== ballast)
      problems.push(`${file} at version ${version} counts ${JSON.stringify(counted)}`)
    const made = db.prepare("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'made_in_%'").pluck().get()
    if (made !== version - 1) problems.push(`${file} at version ${version} has ${made} tables of later versions`)
    db.close()
    return problems
  } catch (error) {
    return [`${file} cannot be read: ${error.message}`]
  }
}
