// One life of a newer build: opens the store and with that brings it to its version, unless it is killed first.
import Database from 'better-sqlite3'
import { shiftedClock } from '../lib/clock.mjs'
import { fated, say } from '../lib/fate.mjs'
import { linesIn } from '../lib/lines.mjs'
import { filling, stepsBeyondFirst } from './steps.mjs'

/** @type {import('../lib/ordeal.mjs').Life & { version: number }} */
const { folder, dist, fate, version } = JSON.parse(process.argv[2])
const { Lease } = await import(`${dist}/store/lease.js`)
const { openStore } = await import(`${dist}/store/open.js`)
const { migrations } = await import(`${dist}/store/migrations/index.js`)
const [first] = migrations

const die = fated(fate)
dieAround(Database.prototype)
say('begin')
const file = `${folder}/state.db`
const steps = [first, ...stepsBeyondFirst(version)]
const { lease, db } = Lease.take(`${folder}/lock`, shiftedClock(0), (check) =>
  openStore({ file, synchronous: 'normal', check }, steps),
)
const isEmpty = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'ballast'").get() === undefined
if (isEmpty) db.exec(`BEGIN; ${filling}; COMMIT`)
db.close()
lease[Symbol.dispose]()
linesIn(`${folder}/reached.jsonl`).add({ version })
process.exit()

/** Nothing in the store's own code knows of these points, so they are put around the calls that it makes. */
function dieAround(calls) {
  const { exec, pragma, prepare } = calls
  calls.exec = function (sql) {
    const isStep = sql.includes('made_in_')
    if (isStep) die('before-step')
    const result = exec.call(this, sql)
    if (isStep) die('after-step')
    return result
  }
  calls.pragma = function (sql, options) {
    const result = pragma.call(this, sql, options)
    if (sql.startsWith('user_version =')) die('before-commit')
    return result
  }
  calls.prepare = function (sql) {
    const statement = prepare.call(this, sql)
    if (!sql.startsWith('VACUUM INTO')) return statement
    return {
      run(...values) {
        die('before-copy')
        statement.run(...values)
        die('after-copy')
      },
    }
  }
}
