import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Housekeeping, housekeeping, type Retention } from '../../src/store/housekeeping.ts'
import { type Db, openStore } from '../../src/store/open.ts'

let db: Db
let keeping: Housekeeping
beforeEach(() => {
  db = openStore({ file: ':memory:', synchronous: 'normal' })
  keeping = housekeeping(db)
})
afterEach(() => void db.close())

/** Each kind of thing is kept since a time of its own, so that none can stand in for another. */
const since: Retention = {
  now: 1000,
  journalBefore: 500,
  seenSince: 400,
  notificationsSince: 300,
  deadLettersSince: 200,
  imagesSince: 100,
}

const put = (table: string, row: Record<string, unknown>) => {
  const names = Object.keys(row)
  db.prepare(`INSERT INTO ${table}(${names.join()}) VALUES(${names.map((name) => `@${name}`).join()})`).run(row)
}
const all = (sql: string) => db.prepare(sql).pluck().all()

const putActor = (id: string, kind: string, status: 'active' | 'done', version = 1) =>
  put('actor', { id, kind, chart: 1, version, status, state: 'acted', created_at: 1, updated_at: 40 })
const putStep = (actor: string, version: number, to: string, event = '{"type":"go"}', at = version) =>
  put('journal', { actor, version, event, to_state: to, at })
const putWork = (key: string, actor: string, kind: string, state: string, settled_at: number | null) =>
  put('outbox', { key, actor, invoke: 'x', kind, input: '{}', state, created_at: 1, settled_at })
const putEvaluation = (id: string, settled_at: number | null) =>
  put('evaluation', {
    id,
    task: 't',
    world: 'memory',
    batch: 0,
    state: settled_at === null ? 'awaitingApproval' : 'acted',
    reason: 'because',
    from_seq: 0,
    through_seq: 0,
    tainted: 0,
    created_at: 1,
    settled_at,
  })
const putTick = (id: string, state: string, ended_at: number | null) =>
  put('tick', { id, world: 'memory', generation: 1, force: 0, state, started_at: 1, ended_at })

describe('after each tick', () => {
  it('a finished tick keeps its own row and nothing of how it ran; one that runs keeps everything', () => {
    for (const [id, status] of [
      ['tick_1', 'done'],
      ['tick_2', 'active'],
    ] as const) {
      putActor(id, 'tick', status)
      putStep(id, 1, 'observing')
      putTick(id, 'done', 50)
      putWork(`${id}/observe/1`, id, 'tick.observe', 'done', 50)
      putWork(`${id}/judge/2`, id, 'tick.judge', 'started', null)
    }
    expect(keeping.ticks(0)).toBe(false)
    expect(all('SELECT id FROM actor')).toEqual(['tick_2'])
    expect(all('SELECT actor FROM journal')).toEqual(['tick_2'])
    expect(all('SELECT key FROM outbox ORDER BY key')).toEqual(['tick_1/judge/2', 'tick_2/judge/2', 'tick_2/observe/1'])
    expect(all('SELECT id FROM tick')).toEqual(['tick_1', 'tick_2'])
  })

  it('quiet ticks that ended some time ago leave no trace, others stay', () => {
    putTick('tick_old', 'quiet', 99)
    putTick('tick_new', 'quiet', 100)
    putTick('tick_failed', 'failed', 50)
    putTick('tick_running', 'working.observing', null)
    keeping.ticks(100)
    expect(all('SELECT id FROM tick ORDER BY id')).toEqual(['tick_failed', 'tick_new', 'tick_running'])
  })

  it('the long-lived actors keep their last two hundred steps', () => {
    for (const kind of ['heartbeat', 'instance', 'evaluation']) {
      putActor(kind, kind, 'active', 450)
      for (let version = 1; version <= 450; version++) putStep(kind, version, 'sleeping')
    }
    keeping.ticks(0)
    expect(db.prepare('SELECT actor, min(version), count(*) FROM journal GROUP BY actor').raw().all()).toEqual([
      ['evaluation', 1, 450],
      ['heartbeat', 251, 200],
      ['instance', 251, 200],
    ])
  })

  it('is done a slice at a time', () => {
    for (let n = 0; n < 450; n++) putActor(`tick_${n}`, 'tick', 'done')
    expect([keeping.ticks(0), keeping.ticks(0), keeping.ticks(0)]).toEqual([true, true, false])
    expect(all('SELECT count(*) FROM actor')).toEqual([0])
  })
})

describe('in the course of time', () => {
  it('a settled evaluation keeps one row of its journal, with its states, their times and what led to them', () => {
    for (const [id, settledAt] of [
      ['ev_old', 499],
      ['ev_new', 500],
      ['ev_waiting', null],
    ] as const) {
      putEvaluation(id, settledAt)
      putActor(id, 'evaluation', settledAt === null ? 'active' : 'done', 3)
      putStep(id, 1, 'inProgress.judging', '{"type":"xstate.init","input":{"secret":"text"}}', 10)
      putStep(id, 2, 'awaitingApproval', '{"type":"verdict"}', 20)
      putStep(id, 3, 'acted', '{"type":"approve","by":"ada"}', 40)
    }
    expect(keeping.aged(since)).toBe(false)
    expect(all('SELECT id FROM actor ORDER BY id')).toEqual(['ev_new', 'ev_waiting'])
    expect(all("SELECT count(*) FROM journal WHERE actor <> 'ev_old'")).toEqual([6])
    const [summary, ...more] = db.prepare("SELECT * FROM journal WHERE actor = 'ev_old'").all() as { event: string }[]
    expect(more).toEqual([])
    expect(summary).toMatchObject({ version: 3, from_state: null, to_state: 'acted', at: 40 })
    expect(JSON.parse(summary?.event ?? '')).toEqual({
      type: 'summary',
      states: [
        ['inProgress.judging', 10, 'xstate.init'],
        ['awaitingApproval', 20, 'verdict'],
        ['acted', 40, 'approve'],
      ],
    })
    expect(all("SELECT reason FROM evaluation WHERE id = 'ev_old'")).toEqual(['because'])
  })

  it('a summary is not made of a summary', () => {
    putEvaluation('ev_old', 1)
    putActor('ev_old', 'evaluation', 'done', 1)
    putStep('ev_old', 1, 'acted')
    keeping.aged(since)
    const before = all('SELECT event FROM journal')
    keeping.aged(since)
    expect(all('SELECT event FROM journal')).toEqual(before)
  })

  it('settled work goes, but for the record of what was carried out, and open work stays', () => {
    putWork('old', 'ev_1', 'evaluation.analyse', 'done', 499)
    putWork('new', 'ev_1', 'evaluation.analyse', 'failed', 500)
    putWork('open', 'ev_1', 'evaluation.analyse', 'pending', null)
    putWork('effect', 'ev_1', 'evaluation.carryOut', 'done', 1)
    keeping.aged(since)
    expect(all('SELECT key FROM outbox ORDER BY key')).toEqual(['effect', 'new', 'open'])
  })

  it('everything else is kept for a time of its own', () => {
    const rows: [table: string, at: (at: number) => Record<string, unknown>, keptSince: number][] = [
      ['message_seen', (at) => ({ id: `m${at}`, at }), since.seenSince],
      [
        'notification',
        (at) => ({ key: `n${at}`, kind: 'notify', title: 't', body: 'b', at }),
        since.notificationsSince,
      ],
      ['dead_letter', (at) => ({ actor: 'a', event: '{}', reason: 'r', at }), since.deadLettersSince],
      ['before_image', (at) => ({ key: `i${at}`, evaluation: 'e', path: 'p', after_hash: 'h', at }), since.imagesSince],
      [
        'model_call',
        (at) => ({
          id: `c${at}`,
          provider: 'p',
          model: 'm',
          purpose: 'judge',
          prompt_digest: 'd',
          answer: '[]',
          repaired: 0,
          prompt_tokens: 0,
          completion_tokens: 0,
          duration_ms: 0,
          at,
        }),
        since.journalBefore,
      ],
    ]
    for (const [table, row, keptSince] of rows) {
      put(table, row(keptSince - 1))
      put(table, row(keptSince))
    }
    keeping.aged(since)
    for (const [table, , keptSince] of rows)
      expect([table, all(`SELECT at FROM ${table}`)]).toEqual([table, [keptSince]])
  })

  it.each([
    [
      'evaluations',
      (n: number) => {
        putEvaluation(`ev_${n}`, 1)
        putActor(`ev_${n}`, 'evaluation', 'done')
      },
    ],
    ['settled work', (n: number) => putWork(`w${n}`, 'ev', 'evaluation.analyse', 'done', 1)],
  ])('is done a slice at a time: %s', (_, make) => {
    for (let n = 0; n < 450; n++) make(n)
    expect([keeping.aged(since), keeping.aged(since), keeping.aged(since)]).toEqual([true, true, false])
    expect(all('SELECT count(*) FROM actor UNION ALL SELECT count(*) FROM outbox')).toEqual([0, 0])
  })
})

describe('every table', () => {
  it('is kept bounded here, or holds what the user has or what the world holds', () => {
    const tables = all("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    const keptHere = [
      'actor',
      'journal',
      'outbox',
      'tick',
      'message_seen',
      'notification',
      'dead_letter',
      'before_image',
      'model_call',
    ]
    /** As many as there are worlds, tasks, goals, files, names or running delays. */
    const bounded = ['world', 'task', 'goal', 'source', 'item', 'kept', 'timer', 'lease']
    /** Pruned when every task has been judged on them. */
    const judged = ['change']
    /** The activity log and its cards: what people come back to, kept for good. */
    const history = ['evaluation', 'escalation']
    expect(tables).toEqual([...keptHere, ...bounded, ...judged, ...history].sort())
  })
})
