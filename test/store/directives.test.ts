import { describe, expect, it, onTestFinished } from 'vitest'
import { namespacedKeys } from '../../src/store/migrations/0005-directives.ts'
import { migrations } from '../../src/store/migrations/index.ts'
import { openStore } from '../../src/store/open.ts'
import { recordStore } from '../../src/store/records.ts'

function store() {
  const db = openStore({ file: ':memory:', synchronous: 'normal' })
  onTestFinished(() => void db.close())
  return db
}

describe('values that one world alone had', () => {
  it('are that world’s by name, however often they are moved', () => {
    const db = store()
    const records = recordStore(db)
    records.keep('last_tick_at', 5)
    records.keep('baseline_checkpoint_id', 'c1')
    records.keep('other', 1)
    for (let time = 0; time < 3; time++) {
      db.exec(namespacedKeys)
      expect(db.prepare('SELECT name, value FROM kept ORDER BY name').raw().all()).toEqual([
        ['memory:baseline_checkpoint_id', '"c1"'],
        ['memory:last_tick_at', '5'],
        ['other', '1'],
      ])
    }
  })

  it('give way to those that have the world’s name already', () => {
    const db = store()
    const records = recordStore(db)
    records.keep('memory:last_tick_at', 9)
    records.keep('last_tick_at', 5)
    db.exec(namespacedKeys)
    expect(records.kept('memory:last_tick_at')).toBe(9)
    expect(records.kept('last_tick_at')).toBeUndefined()
  })
})

describe('rows of the history', () => {
  const history = `INSERT INTO compressed_history(id, session, agent, through_seq, cycle, summary, trace_tokens, tokens, tainted, created_at)
    VALUES(?, 's', 'bob', 1, 1, 'Talked.', 0, 0, 1, 7)`
  const waiting = 'SELECT id FROM unreviewed ORDER BY id'

  it('wait for a review from the moment that they are made, and no longer than they are there', () => {
    const db = store()
    db.prepare(history).run('s:1')
    db.prepare(history).run('s:2')
    expect(db.prepare(waiting).pluck().all()).toEqual(['s:1', 's:2'])
    db.exec("DELETE FROM compressed_history WHERE id = 's:1'")
    expect(db.prepare(waiting).pluck().all()).toEqual(['s:2'])
  })

  it('that were made before there were reviews wait too', () => {
    const db = openStore({ file: ':memory:', synchronous: 'normal' })
    onTestFinished(() => void db.close())
    // As a store of the fourth version is: what the fifth adds is taken out, and added again.
    db.exec(`DROP TRIGGER compressed_history_waits; DROP TRIGGER compressed_history_gone; DROP TABLE unreviewed; DROP TABLE directive;
      DROP INDEX world_diff_agent`)
    db.prepare(history).run('s:1')
    db.exec(migrations[4]!)
    expect(db.prepare(waiting).pluck().all()).toEqual(['s:1'])
  })
})
