import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Lease } from '../../src/store/lease.ts'
import { migrations } from '../../src/store/migrations/index.ts'
import { openStore } from '../../src/store/open.ts'
import { HandClock } from '../support/clock.ts'
import { folder } from './folder.ts'
import { processes } from './processes.ts'

const run = processes()

describe('migrations by several processes at once', () => {
  it('happen once, whoever comes first, and each process finds the new version', async () => {
    const [first = ''] = migrations
    const second = `CREATE TABLE second(n INTEGER) STRICT; INSERT INTO second SELECT count(*) FROM goal;
      WITH RECURSIVE count(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM count WHERE i < 100000) SELECT max(i) FROM count;`
    const steps = [first, second, 'INSERT INTO second VALUES(3);']
    const file = join(folder(), 'state.db')
    const old = openStore({ file, synchronous: 'normal' }, [first])
    old.exec("INSERT INTO goal VALUES('goal_1', 'Sleep well', 5)")
    old.close()
    const program = `
      const { openStore } = await import(dist + '/store/open.js')
      const db = openStore({ file: given.file, synchronous: 'normal' }, given.steps)
      process.stdout.write(String(db.pragma('user_version', { simple: true })))
      db.close()`
    const ended = await Promise.all(Array.from({ length: 4 }, () => run(program, { file, steps }).ended))
    expect(ended).toEqual(ended.map(() => ({ code: 0, out: '3' })))
    const db = openStore({ file, synchronous: 'normal', check: true }, steps)
    expect(db.prepare('SELECT n FROM second').pluck().all()).toEqual([1, 3])
    db.close()
    const copy = openStore({ file: `${file}.v1.bak`, synchronous: 'normal', readOnly: true, check: true }, [first])
    expect(copy.prepare('SELECT id FROM goal').pluck().all()).toEqual(['goal_1'])
    copy.close()
    expect(readdirSync(join(file, '..')).sort()).toEqual(['state.db', 'state.db.v1.bak'])
  })
})

/** Takes the lease whenever it is told to go, says what came of it, and lets go of it at the next word. */
const taker = `
  import { createInterface } from 'node:readline'
  const { Lease } = await import(dist + '/store/lease.js')
  const { openStore } = await import(dist + '/store/open.js')
  const { sqliteLedger } = await import(dist + '/store/ledger.js')
  const say = (word) => process.stdout.write(word + '\\n')
  const clock = { now: () => Date.now(), wakeAt: () => () => {} }
  let held = null
  const orders = {
    take({ lock, file }) {
      held = Lease.take(lock, clock, () => openStore({ file, synchronous: 'normal' }))
      say('held')
    },
    write() {
      const ledger = sqliteLedger(held.db, held.lease)
      try {
        ledger.begin()
        held.db.prepare('INSERT INTO goal VALUES(?, ?, 0)').run('goal_' + process.pid, 'I was here')
        ledger.commit()
        say('wrote')
      } finally {
        ledger.rollback()
      }
    },
    release() {
      held?.db.close()
      held?.lease[Symbol.dispose]()
      held = null
      say('free')
    },
  }
  say('ready')
  for await (const line of createInterface({ input: process.stdin })) {
    const { order, ...rest } = JSON.parse(line)
    try {
      orders[order](rest)
    } catch (error) {
      say(error.code ?? error.message)
    }
  }`

interface Place {
  file: string
  lock: string
}

function place(): Place {
  const root = folder()
  const file = join(root, 'state.db')
  openStore({ file, synchronous: 'normal' }).close()
  return { file, lock: join(root, 'lock') }
}

const goals = ({ file }: Place): number => {
  const db = openStore({ file, synchronous: 'normal' })
  const found = db.prepare<[], number>('SELECT count(*) FROM goal').pluck().get()
  db.close()
  return found ?? 0
}

const left: [string, (lock: string) => void][] = [
  ['none has left a lock', () => {}],
  ['one that is dead has', (lock) => writeFileSync(lock, JSON.stringify({ pid: 2 ** 22 + 1, token: 'x' }))],
  ['what stands there is no lock', (lock) => writeFileSync(lock, 'half of a')],
]
const rounds = 15

describe('the lease between processes', () => {
  it('goes to one of those that want it at once, whatever the one before has left', async () => {
    const takers = Array.from({ length: 4 }, () => run(taker, {}))
    const all = (order: object) => Promise.all(takers.map((one) => one.ask(order)))
    await Promise.all(takers.map((one) => one.said('ready')))
    for (let round = 0; round < rounds; round++) {
      const at = place()
      const [what, leave] = left[round % left.length]!
      leave(at.lock)
      const said = await all({ order: 'take', ...at })
      expect([...said].sort(), what).toEqual(['held', 'workspace/in-use', 'workspace/in-use', 'workspace/in-use'])
      expect(await takers[said.indexOf('held')]?.ask({ order: 'write' })).toBe('wrote')
      await all({ order: 'release' })
      expect([goals(at), existsSync(at.lock)]).toEqual([1, false])
      expect(readdirSync(join(at.lock, '..'))).toEqual(['state.db'])
    }
  }, 60_000)

  it('is taken from a process that is stuck, and what that one does when it wakes is refused', async () => {
    const at = place()
    const stuck = run(taker, {})
    await stuck.said('ready')
    expect(await stuck.ask({ order: 'take', ...at })).toBe('held')
    const open = () => openStore({ file: at.file, synchronous: 'normal' })
    expect(() => Lease.take(at.lock, new HandClock(), open)).toThrow(/process \d+\) is working in this workspace/)
    const longAgo = (performance.timeOrigin + performance.now()) / 1000 - 61
    utimesSync(at.lock, longAgo, longAgo)
    const { lease, db } = Lease.take(at.lock, new HandClock(), open)
    expect(lease.unclean).toBe(true)
    expect(await stuck.ask({ order: 'write' })).toBe('store/taken-over')
    expect(await stuck.ask({ order: 'release' })).toBe('free')
    expect(JSON.parse(readFileSync(at.lock, 'utf8'))).toMatchObject({ pid: process.pid })
    lease.assertHeld()
    db.close()
    lease[Symbol.dispose]()
    expect(goals(at)).toBe(0)
  })
})
