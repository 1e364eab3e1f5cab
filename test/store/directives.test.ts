import { describe, expect, it, onTestFinished } from 'vitest'
import { openStore } from '../../src/store/open.ts'

function store() {
  const db = openStore({ file: ':memory:', synchronous: 'normal' })
  onTestFinished(() => void db.close())
  return db
}

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
})
