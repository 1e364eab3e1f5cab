import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agentAge } from '../../src/store/agent-age.ts'
import { housekeeping } from '../../src/store/housekeeping.ts'
import { type Db, openStore } from '../../src/store/open.ts'

let db: Db
let age: ReturnType<typeof agentAge>
beforeEach(() => {
  db = openStore({ file: ':memory:', synchronous: 'normal' })
  age = agentAge(db)
})
afterEach(() => void db.close())

const put = (table: string, row: Record<string, unknown>) => {
  const names = Object.keys(row)
  db.prepare(`INSERT INTO ${table}(${names.join()}) VALUES(${names.map((name) => `@${name}`).join()})`).run(row)
}
const all = (sql: string) => db.prepare(sql).pluck().all()

const putActor = (id: string, kind: string, status: 'active' | 'done') => {
  put('actor', { id, kind, chart: 1, version: 1, status, state: status, created_at: 1, updated_at: 1 })
  put('journal', { actor: id, version: 1, event: '{}', to_state: status, at: 1 })
}
/** A step of somebody who stays: the newest step of all is never let go of. */
const putNewest = () => put('journal', { actor: 'heartbeat', version: 1, event: '{}', to_state: 'beating', at: 1 })
const putWork = (key: string, kind: string, input: object, settled_at: number | null = 1) => {
  const state = settled_at === null ? 'started' : 'done'
  const actor = key.slice(0, key.indexOf('/'))
  put('outbox', { key, actor, invoke: 'x', kind, input: JSON.stringify(input), state, created_at: 1, settled_at })
}
const putRun = (id: string, ended_at: number | null, evaluation = 'ev_1') =>
  put('agent_run', {
    id,
    evaluation,
    task: 't',
    world: 'memory',
    stage: 'tools',
    state: ended_at === null ? 'thinking' : 'answered',
    steps: 1,
    tokens: 1,
    tainted: 0,
    done: '[]',
    proposed: '[]',
    created_at: 1,
    ended_at,
  })
const putStep = (run: string, n: number, effect: 0 | 1 = 0) =>
  put('agent_step', { run, n, kind: 'tool', message: '{}', effect, open: 0, at: 1 })
const putEvaluation = (id: string, state: string) =>
  put('evaluation', {
    id,
    task: 't',
    world: 'memory',
    batch: 0,
    state,
    from_seq: 0,
    through_seq: 0,
    tainted: 0,
    created_at: 1,
  })

/** A run with two calls: the first reads, the second changes something. */
function putWhole(run: string, status: 'active' | 'done', endedAt: number | null, calls = status) {
  putRun(run, endedAt)
  putActor(run, 'agentRun', status)
  putWork(`${run}/think/1`, 'agentRun.think', { run })
  for (const n of [1, 2] as const) {
    putStep(run, n, n === 2 ? 1 : 0)
    putActor(`${run}#${n}`, 'toolCall', calls)
    putWork(`${run}#${n}/run/1`, 'toolCall.run', { run, n })
  }
}

describe('agents that are over', () => {
  it('leave their row and their conversation, and the record of what their calls changed', () => {
    putWhole('ev_1#1', 'done', 5)
    putActor('ev_1', 'evaluation', 'done')
    putWork('ev_1/execute/1', 'evaluation.execute', {})
    expect(age.finished()).toBe(false)
    expect(all('SELECT id FROM actor UNION SELECT actor FROM journal')).toEqual(['ev_1'])
    expect(all('SELECT key FROM outbox ORDER BY key')).toEqual(['ev_1#1#2/run/1', 'ev_1/execute/1'])
    expect(all('SELECT count(*) FROM agent_step UNION ALL SELECT count(*) FROM agent_run')).toEqual([2, 1])
  })

  it('take nothing of others with them whose names begin alike', () => {
    for (const run of ['ev_1#10', 'ev_1#2', 'ev_10#1', 'ev_1#1x']) putWhole(run, 'active', null)
    const before = all('SELECT key FROM outbox ORDER BY key')
    putWhole('ev_1#1', 'done', 5)
    putNewest()
    age.finished()
    expect(all("SELECT key FROM outbox WHERE key NOT LIKE 'ev_1#1#%' ORDER BY key")).toEqual(before)
    expect(all('SELECT count(*) FROM actor')).toEqual([12])
  })

  it('stay while one of their calls is still being called back, and while they are at work', () => {
    putWhole('ev_1#1', 'done', 5, 'active')
    putWhole('ev_2#1', 'active', null, 'done')
    age.finished()
    expect(all('SELECT count(*) FROM actor UNION ALL SELECT count(*) FROM journal')).toEqual([6, 6])
    expect(all('SELECT count(*) FROM outbox')).toEqual([6])
  })

  it('stay while the newest step of all is theirs, so that its number is not given to another', () => {
    putWhole('ev_1#1', 'done', 5)
    const [newest] = all('SELECT max(seq) FROM journal')
    age.finished()
    putNewest()
    expect(all('SELECT max(seq) FROM journal')).toEqual([Number(newest) + 1])
    age.finished()
    expect(all('SELECT id FROM actor')).toEqual([])
  })

  it('leave work that may still be under way', () => {
    putRun('ev_1#1', 5)
    putActor('ev_1#1', 'agentRun', 'done')
    putWork('ev_1#1/think/1', 'agentRun.think', {}, null)
    age.finished()
    expect(all('SELECT key FROM outbox')).toEqual(['ev_1#1/think/1'])
  })

  it('are seen to a slice at a time, after each tick', () => {
    for (let n = 0; n < 25; n++) putWhole(`ev_${n}#1`, 'done', 5)
    putNewest()
    const keeping = housekeeping(db)
    expect([keeping.ticks(0), keeping.ticks(0), keeping.ticks(0)]).toEqual([true, true, false])
    expect(all('SELECT count(*) FROM actor')).toEqual([0])
  })
})

describe('agents of long ago', () => {
  const retention = {
    now: 1000,
    journalBefore: 500,
    seenSince: 0,
    notificationsSince: 0,
    deadLettersSince: 0,
    imagesSince: 0,
    usageSince: '2026-01-02',
  }

  it('leave nothing but the record of what their calls changed', () => {
    putWhole('ev_1#1', 'done', 499)
    putWhole('ev_2#1', 'done', 500)
    putWhole('ev_3#1', 'active', null)
    housekeeping(db).aged(retention)
    expect(all('SELECT id FROM agent_run ORDER BY id')).toEqual(['ev_2#1', 'ev_3#1'])
    expect(all('SELECT DISTINCT run FROM agent_step ORDER BY run')).toEqual(['ev_2#1', 'ev_3#1'])
    expect(all("SELECT key FROM outbox WHERE kind = 'toolCall.run' ORDER BY key")).toEqual([
      'ev_1#1#2/run/1',
      'ev_2#1#2/run/1',
      'ev_3#1#2/run/1',
    ])
  })

  it('stay whole while their evaluation may still ask how they ended', () => {
    putEvaluation('ev_1', 'inProgress')
    putWhole('ev_1#1', 'done', 1)
    expect(age.aged(500, 200)).toBe(false)
    expect(all('SELECT count(*) FROM agent_step UNION ALL SELECT count(*) FROM agent_run')).toEqual([2, 1])
    db.prepare("UPDATE evaluation SET state = 'awaitingApproval'").run()
    age.aged(500, 200)
    expect(all('SELECT count(*) FROM agent_step UNION ALL SELECT count(*) FROM agent_run')).toEqual([0, 0])
  })

  it('go a slice of their conversations at a time', () => {
    putRun('ev_1#1', 1)
    for (let n = 0; n < 450; n++) putStep('ev_1#1', n)
    expect([age.aged(500, 200), all('SELECT count(*) FROM agent_step')]).toEqual([true, [250]])
    expect(all('SELECT count(*) FROM agent_run')).toEqual([1])
    expect([age.aged(500, 200), age.aged(500, 200)]).toEqual([true, false])
    expect(all('SELECT count(*) FROM agent_step UNION ALL SELECT count(*) FROM agent_run')).toEqual([0, 0])
  })

  it('keep their conversations until what only these tell of their calls has been looked up', () => {
    putRun('ev_1#1', 1)
    for (let n = 0; n < 5; n++) {
      putStep('ev_1#1', n)
      putWork(`ev_1#1#${n}/run/1`, 'toolCall.run', { run: 'ev_1#1', n })
    }
    expect([age.aged(500, 2), age.aged(500, 2)]).toEqual([true, true])
    expect(all('SELECT count(*) FROM agent_step')).toEqual([5])
    while (age.aged(500, 2));
    expect(all('SELECT count(*) FROM outbox UNION ALL SELECT count(*) FROM agent_step')).toEqual([0, 0])
  })
})
