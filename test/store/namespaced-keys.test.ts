import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Db, openStore } from '../../src/store/open.ts'
import { recordStore } from '../../src/store/records.ts'
import { folder } from './folder.ts'

const opened = (file: string, readOnly = false): Db => {
  const db = openStore({ file, synchronous: 'normal', readOnly })
  onTestFinished(() => void db.close())
  return db
}
const kept = (db: Db) => db.prepare('SELECT name, value FROM kept ORDER BY name').raw().all()

/** A store that was left with these values. */
function left(values: Record<string, unknown>): string {
  const file = join(folder(), 'state.db')
  const db = openStore({ file, synchronous: 'normal' })
  const records = recordStore(db)
  for (const [name, value] of Object.entries(values)) records.keep(name, value)
  db.close()
  return file
}

describe('values from when there was one world', () => {
  it('are that world’s by name once the store is opened, however often it is', () => {
    const file = left({ last_tick_at: 5, baseline_checkpoint_id: 'c1', other: 1 })
    for (let time = 0; time < 3; time++) {
      expect(kept(opened(file))).toEqual([
        ['memory:baseline_checkpoint_id', '"c1"'],
        ['memory:last_tick_at', '5'],
        ['other', '1'],
      ])
    }
  })

  it('give way to those that have the world’s name already', () => {
    const file = left({ last_tick_at: 5, 'memory:last_tick_at': 9 })
    expect(kept(opened(file))).toEqual([['memory:last_tick_at', '9']])
  })

  it('are left as they are by whoever only reads', () => {
    const file = left({ last_tick_at: 5 })
    expect(kept(opened(file, true))).toEqual([['last_tick_at', '5']])
  })

  it('are looked for without a word written: a store that has none opens beside one that is writing', () => {
    const file = left({ other: 1 })
    const writing = opened(file)
    writing.exec('BEGIN IMMEDIATE')
    const beside = opened(file)
    expect(kept(beside)).toEqual([['other', '1']])
    writing.exec('ROLLBACK')
  })
})
