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
  usageSince: '2026-01-02',
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
const putCard = (id: string, state: string) =>
  put('escalation', {
    id,
    task: 't',
    world: 'memory',
    kind: 'proposal',
    state,
    title: 'Send it',
    summary: '',
    priority: 'normal',
    calls: '[]',
    provenance: '[]',
    digest: 'd',
    fingerprint: 'f',
    external: 0,
    bundled: 0,
    created_at: 1,
    refreshed_at: 1,
    expires_at: 9,
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
    put('actor', {
      ...{ id: 'tick_1', kind: 'tick', parent: 'instance', chart: 1, version: 1, status: 'done', state: 'done' },
      ...{ created_at: 1, updated_at: 40 },
    })
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
          tasks: '[]',
          provider: 'p',
          model: 'm',
          route: 'local',
          purpose: 'judge',
          prompt_digest: 'd',
          answer: '[]',
          repaired: 0,
          calls: 1,
          failed: 0,
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

  it('what models used is kept by days, a slice at a time', () => {
    const keys = { provider: 'p', model: 'm', route: 'local', purpose: 'judge', world: 'w' }
    const sums = { calls: 1, failed: 0, prompt_tokens: 0, completion_tokens: 0 }
    for (const day of ['2025-12-31', '2026-01-01', '2026-01-02', '2026-01-03']) {
      put('usage_day', { day, ...keys, ...sums })
      put('tally', { day, world: 'w', avoided: 1, verdicts: 0, escalated: 0 })
      for (let n = 0; n < 150; n++) put('usage', { day, task: `t${n}`, ...keys, ...sums })
    }
    expect([keeping.aged(since), keeping.aged(since)]).toEqual([true, false])
    for (const table of ['usage', 'usage_day', 'tally'])
      expect(all(`SELECT DISTINCT day FROM ${table} ORDER BY day`)).toEqual(['2026-01-02', '2026-01-03'])
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
    const left = () => all('SELECT (SELECT count(*) FROM actor) + (SELECT count(*) FROM outbox)')[0] as number
    for (let before = 450; before > 0; before = left()) {
      const isMore = keeping.aged(since)
      expect(isMore).toBe(left() > 0)
      expect(before - left()).toBeLessThanOrEqual(200)
      expect(left()).toBeLessThan(before)
    }
    expect(keeping.aged(since)).toBe(false)
  })
})

describe('after a very long time', () => {
  /** Everything that is told of an evaluation, in the order of their ids. */
  const putOld = (id: string, more: Record<string, unknown> = {}) => {
    putEvaluation(id, 99)
    const names = Object.keys(more)
    if (names.length > 0)
      db.prepare(`UPDATE evaluation SET ${names.map((name) => `${name} = @${name}`).join()} WHERE id = @id`).run({
        ...more,
        id,
      })
    putStep(id, 3, 'acted', '{"type":"summary"}')
    putWork(`${id}/carryOut/1`, id, 'evaluation.carryOut', 'done', 99)
  }
  const evaluations = () => all('SELECT id FROM evaluation ORDER BY id')
  const through = (look: typeof keeping.evaluations, before = 100) => {
    for (let mark = look(before, null); mark !== null; ) mark = look(before, mark)
  }

  it('an evaluation leaves the log with its card, its journal and the record of what it carried out', () => {
    putOld('ev_1')
    putCard('ev_1', 'approved')
    putOld('ev_10')
    putCard('ev_10', 'dismissed')
    putOld('ev_2')
    through(keeping.evaluations)
    expect(evaluations()).toEqual(['ev_2'])
    expect(all('SELECT id FROM escalation')).toEqual([])
    expect(all('SELECT actor FROM journal')).toEqual(['ev_2'])
    expect(all('SELECT key FROM outbox')).toEqual(['ev_2/carryOut/1'])
  })

  it('what settled later stays, and what has not settled', () => {
    putOld('ev_1', { settled_at: 100 })
    putOld('ev_2', { settled_at: null })
    putOld('ev_3')
    through(keeping.evaluations)
    expect(evaluations()).toEqual(['ev_1', 'ev_2', 'ev_3'])
  })

  it('the last entry in the log of each task stays, with the one that it is another try of', () => {
    putOld('ev_1')
    putOld('ev_2')
    putOld('ev_3', { retry_of: 'ev_1' })
    putOld('ev_4', { task: 'other' })
    through(keeping.evaluations)
    expect(evaluations()).toEqual(['ev_1', 'ev_3', 'ev_4'])
  })

  it('what an open card is about stays, with the one that it is another try of', () => {
    putOld('ev_1')
    putOld('ev_2', { retry_of: 'ev_1', settled_at: null })
    putCard('ev_2', 'open')
    putOld('ev_3')
    putCard('ev_3', 'open')
    putOld('ev_4')
    putOld('ev_5')
    through(keeping.evaluations)
    expect(evaluations()).toEqual(['ev_1', 'ev_2', 'ev_3', 'ev_5'])
  })

  it('what a task is to try again stays', () => {
    putOld('ev_1')
    putOld('ev_2')
    putOld('ev_3')
    const columns = db.pragma("table_info('task')") as { name: string; type: string; notnull: number }[]
    const blank = Object.fromEntries(
      columns.map(({ name, type, notnull }) => [name, notnull ? (type === 'TEXT' ? '' : 0) : null]),
    )
    put('task', { ...blank, id: 't', retry_of: 'ev_2' })
    through(keeping.evaluations)
    expect(evaluations()).toEqual(['ev_2', 'ev_3'])
  })

  it('a tick goes once none of its evaluations is left, but for the last of its world', () => {
    for (const [generation, state, endedAt] of [
      [1, 'done', 99],
      [2, 'failed', 99],
      [3, 'done', 100],
      [4, 'working.observing', null],
    ] as const) {
      putTick(`tick_${generation}`, state, endedAt)
      db.prepare('UPDATE tick SET generation = ? WHERE id = ?').run(generation, `tick_${generation}`)
    }
    putTick('tick_alone', 'done', 1)
    db.prepare("UPDATE tick SET world = 'other' WHERE id = 'tick_alone'").run()
    putOld('ev_1', { tick: 'tick_1' })
    through(keeping.oldTicks)
    expect(all('SELECT id FROM tick ORDER BY id')).toEqual(['tick_1', 'tick_3', 'tick_4', 'tick_alone'])
  })

  it('is done a slice at a time, going past what stays', () => {
    for (let n = 0; n < 130; n++) putOld(`ev_${n}`, { created_at: n, ...(n < 50 && { task: `t${n}` }) })
    const slices: number[] = []
    for (let mark = keeping.evaluations(1000, null); mark !== null; mark = keeping.evaluations(1000, mark))
      slices.push(evaluations().length)
    expect(slices).toEqual([130, 100, 60])
    expect(evaluations()).toHaveLength(51)
  })

  it.each([
    [
      'actors that live long',
      "SELECT id, version FROM actor WHERE kind <> 'evaluation' AND kind IN ('heartbeat', 'instance')",
    ],
    ['settled actors', "SELECT id FROM actor WHERE status = 'done' AND updated_at < 5"],
    [
      'old evaluations',
      'SELECT id FROM evaluation WHERE created_at < 5 AND (created_at, id) > (1, 2) ORDER BY created_at, id',
    ],
    ['ended ticks', 'SELECT id FROM tick WHERE ended_at < 5 AND (ended_at, id) > (1, 2) ORDER BY ended_at, id'],
    ['work of an actor', "SELECT key FROM outbox WHERE key >= 'a/' AND key < 'a0' AND actor = 'a'"],
    ['evaluations of a tick', "SELECT id FROM evaluation WHERE tick = 'x'"],
  ])('reads no whole table to find %s', (_, sql) => {
    const plan = db.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all()
    expect(plan.map(({ detail }) => detail).filter((detail) => /^SCAN/.test(detail))).toEqual([])
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
      'evaluation',
      'escalation',
      'message_seen',
      'notification',
      'dead_letter',
      'before_image',
      'model_call',
      'usage',
      'usage_day',
      'tally',
      'agent_run',
      'agent_step',
      'core_step',
    ]
    /** As many as there are worlds, tasks, goals, files, names or running delays. */
    const bounded = ['world', 'task', 'goal', 'source', 'item', 'kept', 'timer', 'lease']
    /** Pruned when every task has been judged on them. */
    const judged = ['change']
    /** What was said in sessions and what came of it is the user's, as is what it was steered by. */
    const said = [
      'session',
      'message',
      'peer_cycle',
      'session_cycle',
      'compressed_history',
      'world_diff',
      'session_memory',
      'directive',
      'unreviewed',
    ]
    expect(tables).toEqual([...keptHere, ...bounded, ...judged, ...said].sort())
  })
})
