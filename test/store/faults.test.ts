import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/domain/errors.ts'
import { faultOf, isLost, isStoreFault } from '../../src/store/faults.ts'
import { sqliteLedger } from '../../src/store/ledger.ts'
import { type Db, openStore } from '../../src/store/open.ts'
import { folder } from './folder.ts'

const thrownBy = (work: () => unknown): unknown => {
  try {
    work()
  } catch (error) {
    return error
  }
  return null
}

/** Each trouble as SQLite itself reports it. */
const troubles: [code: string, comes: 'may pass' | 'is for good', trouble: () => unknown][] = [
  [
    'store/disk-full',
    'may pass',
    () => {
      const db = openStore({ file: ':memory:', synchronous: 'normal' })
      db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true })) + 1}`)
      return thrownBy(() => db.prepare('INSERT INTO kept VALUES(?, ?)').run('large', 'x'.repeat(100_000)))
    },
  ],
  [
    'store/read-only',
    'may pass',
    () => {
      const file = join(folder(), 'state.db')
      openStore({ file, synchronous: 'normal' }).close()
      const db = new Database(file, { readonly: true })
      return thrownBy(() => db.exec('DELETE FROM kept'))
    },
  ],
  ['store/read-only', 'may pass', () => thrownBy(() => new Database(folder()))],
  [
    'store/locked',
    'may pass',
    () => {
      const file = join(folder(), 'state.db')
      const holder = openStore({ file, synchronous: 'normal' })
      holder.exec('BEGIN IMMEDIATE')
      const error = thrownBy(() => new Database(file, { timeout: 0 }).exec('BEGIN IMMEDIATE'))
      holder.close()
      return error
    },
  ],
  [
    'store/corrupt',
    'is for good',
    () => {
      const file = join(folder(), 'state.db')
      writeFileSync(file, 'no store at all, but long enough for a header of a hundred bytes '.repeat(20))
      return thrownBy(() => new Database(file).exec('SELECT 1 FROM sqlite_schema'))
    },
  ],
]

const ofSqlite = (code: string) => new Database.SqliteError('as reported', code)
const ofSystem = (code: string) => Object.assign(new Error('as reported'), { code })

describe('an error of the store', () => {
  it.each(troubles)('becomes %s, which %s, when SQLite reports it', (code, comes, trouble) => {
    const error = trouble()
    expect(error).toBeInstanceOf(Database.SqliteError)
    const fault = faultOf(error, '/notes/state.db')
    expect(fault).toMatchObject({ name: 'Fault', code, data: { file: '/notes/state.db' } })
    expect((fault as Fault).message).toContain('/notes/state.db')
    expect([isStoreFault(fault), isLost(fault)]).toEqual(comes === 'may pass' ? [true, false] : [false, true])
  })

  it.each([
    ['SQLITE_FULL', 'store/disk-full'],
    ['SQLITE_IOERR', 'store/disk-failing'],
    ['SQLITE_IOERR_WRITE', 'store/disk-failing'],
    ['SQLITE_READONLY_DBMOVED', 'store/read-only'],
    ['SQLITE_CANTOPEN_ISDIR', 'store/read-only'],
    ['SQLITE_PERM', 'store/read-only'],
    ['SQLITE_BUSY_SNAPSHOT', 'store/locked'],
    ['SQLITE_LOCKED', 'store/locked'],
    ['SQLITE_CORRUPT_INDEX', 'store/corrupt'],
    ['SQLITE_NOTADB', 'store/corrupt'],
  ])('is told by its family: %s is %s', (code, fault) => {
    expect(faultOf(ofSqlite(code))).toMatchObject({ code: fault, data: { sqlite: code } })
  })

  it.each([
    ['EACCES', 'store/read-only'],
    ['EPERM', 'store/read-only'],
    ['EROFS', 'store/read-only'],
    ['ENOTDIR', 'store/read-only'],
    ['ENOSPC', 'store/disk-full'],
    ['EDQUOT', 'store/disk-full'],
    ['EIO', 'store/disk-failing'],
  ])('may come from the system: %s is %s', (code, fault) => {
    expect(faultOf(ofSystem(code))).toMatchObject({ code: fault, data: { errno: code } })
  })

  it.each([
    ofSqlite('SQLITE_CONSTRAINT_UNIQUE'),
    ofSqlite('SQLITE_ERROR'),
    ofSystem('ECONNRESET'),
    ofSystem('constructor'),
    new TypeError('a mistake'),
    new Fault('task/unknown', 'There is no such task.'),
    'a word',
    undefined,
  ])('of another kind stays what it is: %s', (error) => {
    expect(faultOf(error)).toBe(error)
    expect([isStoreFault(error), isLost(error)]).toEqual([false, false])
  })

  it('that another process has caused by taking over is for good', () => {
    const fault = new Fault('store/taken-over', 'Another undermind has taken over.')
    expect([isStoreFault(fault), isLost(fault)]).toEqual([false, true])
  })
})

describe('the ledger', () => {
  const row = { actor: 'a', event: '{}', reason: 'r', at: 0 }
  const store = (file = ':memory:'): Db => openStore({ file, synchronous: 'normal' })

  it('reports a trouble of the store from within a transaction as what it is, and can be used again after', () => {
    const db = store()
    const ledger = sqliteLedger(db)
    const pages = Number(db.pragma('page_count', { simple: true }))
    ledger.begin()
    db.pragma(`max_page_count = ${pages}`)
    const error = thrownBy(() => ledger.bury({ ...row, event: 'x'.repeat(100_000) }))
    expect([ledger.isTransient(error), ledger.isFatal(error)]).toEqual([true, false])
    ledger.rollback()
    ledger.rollback()
    db.pragma('max_page_count = 100000')
    ledger.begin()
    ledger.bury(row)
    ledger.commit()
    expect(db.prepare('SELECT count(*) FROM dead_letter').pluck().get()).toBe(1)
  })

  it('undoes what came since a savepoint and nothing before', () => {
    const db = store()
    const ledger = sqliteLedger(db)
    ledger.begin()
    ledger.bury({ ...row, reason: 'before' })
    ledger.savepoint()
    ledger.bury({ ...row, reason: 'between' })
    ledger.rollbackToSavepoint()
    ledger.savepoint()
    ledger.bury({ ...row, reason: 'after' })
    ledger.release()
    ledger.commit()
    expect(db.prepare('SELECT reason FROM dead_letter ORDER BY seq').pluck().all()).toEqual(['before', 'after'])
  })
})
