import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sessionId } from '../../src/actors/session.ts'
import { type CycleId, id, type MessageId } from '../../src/domain/ids.ts'
import type { CycleKept, MessageRole } from '../../src/domain/session.ts'
import { type Stores, stores } from '../../src/house/stores.ts'
import { cycleId } from '../../src/machines/session-words.ts'
import { type Db, openStore } from '../../src/store/open.ts'
import { forgetSessionWork } from '../../src/store/session-age.ts'

let db: Db
let rows: Stores
beforeEach(() => {
  db = openStore({ file: ':memory:', synchronous: 'normal' })
  rows = stores(db)
})
afterEach(() => void db.close())

const key = { agent: 'anna', session: 'plans' }
const self = sessionId(key)
const made = (given = key) =>
  rows.sessions.insert({ ...given, id: sessionId(given), kind: 'peer', title: 'Plans', createdAt: 1 })
const say = (name: string, role: MessageRole = 'user', at = 5) =>
  rows.sessions.addMessage(self, {
    id: id<MessageId>(name),
    role,
    body: `body of ${name}`,
    cycle: null,
    delivery: null,
    at,
  })

describe('sessions', () => {
  it('are one for an agent and a name, however often they are made', () => {
    expect([made(), made()]).toEqual([true, false])
    expect(made({ agent: 'anna', session: 'other' })).toBe(true)
    expect(rows.sessions.peers(10)).toHaveLength(2)
    expect(rows.sessions.get(self)).toMatchObject({
      ...key,
      kind: 'peer',
      state: 'idle',
      head: 0,
      inbound: 0,
      cursor: 0,
    })
  })

  it('are told apart by both names, also where these run into each other', () => {
    expect(sessionId({ agent: 'a', session: 'b/c' })).not.toBe(sessionId({ agent: 'a/b', session: 'c' }))
    expect(sessionId({ agent: '["a"', session: '' })).not.toBe(sessionId({ agent: '', session: '["a"' }))
  })

  it('number their messages on arrival, and take none twice', () => {
    made()
    expect(
      [say('m1'), say('m2', 'assistant'), say('m1'), say('m3')].map(({ message, isNew }) => [message.seq, isNew]),
    ).toEqual([
      [1, true],
      [2, true],
      [1, false],
      [3, true],
    ])
    expect(rows.sessions.get(self)).toMatchObject({ head: 3, inbound: 3, activeAt: 5 })
  })

  it('give their messages page by page, forwards and backwards', () => {
    made()
    for (let n = 1; n <= 7; n++) say(`m${n}`)
    const seqs = (page: Parameters<Stores['sessions']['messages']>[1]) =>
      rows.sessions.messages(self, page).map(({ seq }) => seq)
    expect(seqs({ limit: 3 })).toEqual([5, 6, 7])
    expect(seqs({ before: 5, limit: 3 })).toEqual([2, 3, 4])
    expect(seqs({ before: 2, limit: 3 })).toEqual([1])
    expect(seqs({ after: 0, limit: 2 })).toEqual([1, 2])
    expect(seqs({ after: 7, limit: 2 })).toEqual([])
  })

  it('are unanswered while a message from outside is above the cursor', () => {
    made()
    say('m1', 'assistant')
    expect(rows.sessions.unanswered('', 10)).toEqual([])
    say('m2', 'user', 9)
    expect(rows.sessions.unanswered('', 10).map((row) => row.id)).toEqual([self])
    expect(rows.sessions.firstUnansweredAt(self, 0)).toBe(9)
    rows.sessions.move({ id: self, state: 'idle', reason: null, cursor: 2, attempts: 0 })
    expect(rows.sessions.unanswered('', 10)).toEqual([])
  })

  it('are read as far as there is something, and never less far than before', () => {
    made()
    say('m1')
    say('m2')
    rows.sessions.markRead(self, 500)
    expect(rows.sessions.get(self)?.read).toBe(2)
    rows.sessions.markRead(self, 1)
    expect(rows.sessions.get(self)?.read).toBe(2)
  })

  it('hold texts as they came', () => {
    made()
    const body = 'a\u0000b\n🙂 \ud800 "quoted"'
    const { message } = rows.sessions.addMessage(self, {
      id: id<MessageId>('x'),
      role: 'user',
      body,
      cycle: null,
      delivery: null,
      at: 1,
    })
    expect(message.body.startsWith('a\u0000b\n🙂')).toBe(true)
  })
})

describe('cycles', () => {
  const begin = (through: number, from = 0, given = key): CycleId => {
    const session = sessionId(given)
    const cycle = cycleId(session, through)
    keep({
      step: 'normalize',
      cycle: { id: cycle, session, agent: given.agent, from, through, ask: 'what?', tainted: true },
    })
    return cycle
  }
  const keep = (kept: CycleKept, at = 7) => rows.cycles.keep(kept, at)
  const brief = (cycle: CycleId) => keep({ step: 'brief', cycle, brief: 'do', steering: { id: 'd', text: 'mind' } })
  const diff = (cycle: CycleId, change = 'it') =>
    keep({ step: 'worldDiff', cycle, signature: 's', change, delta: '{}' })

  it('are counted for their agent once when they reach the core, whatever is done again', () => {
    made()
    const first = begin(1)
    brief(first)
    brief(first)
    expect(rows.cycles.count('anna')).toBe(1)
    expect(rows.cycles.get(first)).toMatchObject({ number: 1, way: 'core', steering: { id: 'd', text: 'mind' } })
    // More was asked while it failed: the same messages, and one more.
    brief(begin(2))
    expect(rows.cycles.count('anna')).toBe(1)
    brief(begin(3, 2))
    brief(begin(1, 0, { agent: 'anna', session: 'other' }))
    expect(rows.cycles.count('anna')).toBe(3)
    expect(rows.cycles.count('bob')).toBe(0)
  })

  it('leave one summary and one entry of the world diff, numbered from 1 in their session', () => {
    made()
    const other = { agent: 'bob', session: 'chat' }
    made(other)
    const cycles = [begin(1), begin(2, 1), begin(1, 0, other)]
    for (const cycle of cycles) {
      brief(cycle)
      keep({ step: 'compress', cycle, summary: 'sum', traceTokens: 40, tokens: 2 })
      keep({ step: 'compress', cycle, summary: 'another', traceTokens: 1, tokens: 1 })
      diff(cycle)
      diff(cycle, 'something else')
    }
    expect(cycles.map((cycle) => rows.cycles.diff(cycle))).toMatchObject([
      { seq: 1, change: 'it' },
      { seq: 2, change: 'it' },
      { seq: 1, change: 'it' },
    ])
    expect(rows.cycles.summaries(self, 0)).toMatchObject([
      { through: 1, number: 1, summary: 'sum', tainted: true },
      { through: 2, number: 2, summary: 'sum' },
    ])
    expect(rows.cycles.summaries(self, 1)).toHaveLength(1)
    expect(() => db.prepare("UPDATE world_diff SET change = 'rewritten'").run()).toThrow(/never rewritten/)
  })

  it("keep the core's turns as they were first put down", () => {
    made()
    const cycle = begin(1)
    const turn = (text: string) => ({ thread: 0, n: 0, message: { role: 'user' as const, text }, waits: [1, 2] })
    keep({ step: 'execute', cycle, steps: [turn('first')], answer: null, tainted: false })
    keep({ step: 'execute', cycle, steps: [turn('second')], answer: 'so', tainted: false })
    expect(rows.cycles.steps(cycle)).toEqual([{ ...turn('first'), at: 7 }])
    expect(rows.cycles.get(cycle)).toMatchObject({ answer: 'so', tainted: true })
  })

  it('let marks of memory only go forwards', () => {
    made()
    const guard = (evicted: number, remembered: number) =>
      keep({ step: 'contextGuard', session: self, utilization: 0.5, evicted, remembered })
    guard(3, 4)
    guard(1, 1)
    expect(rows.sessions.get(self)).toMatchObject({ evicted: 3, remembered: 4, utilization: 0.5 })
  })

  it('remember each thing once and whole', () => {
    const memory = {
      id: 'summary:1',
      session: self,
      agent: 'anna',
      kind: 'summary' as const,
      text: 'long '.repeat(9),
      at: 1,
    }
    rows.cycles.remember(memory, 2)
    rows.cycles.remember({ ...memory, text: 'other' }, 3)
    expect(rows.cycles.memories(self)).toEqual([memory])
  })
})

describe('what is long ago', () => {
  it('is forgotten of how answers came about, and nothing of what was said', () => {
    made()
    say('m1')
    const cycle = cycleId(self, 1)
    const turn = { thread: 0, n: 0, message: { role: 'user' as const, text: 'x' }, waits: null }
    rows.cycles.keep(
      {
        step: 'normalize',
        cycle: { id: cycle, session: self, agent: 'anna', from: 0, through: 1, ask: 'x', tainted: true },
      },
      5,
    )
    rows.cycles.keep({ step: 'execute', cycle, steps: [turn], answer: 'y', tainted: false }, 5)
    const step = db.prepare("INSERT INTO journal(actor, version, event, to_state, at) VALUES(?, ?, '{}', 'idle', ?)")
    step.run(self, 1, 5)
    step.run(self, 2, 50)
    step.run('instance_memory', 1, 5)
    const forget = forgetSessionWork(db)
    expect(forget(40, 10)).toBe(false)
    expect(rows.cycles.steps(cycle)).toHaveLength(1)
    rows.cycles.end(cycle, 6)
    expect(forget(40, 1)).toBe(true)
    expect(rows.cycles.steps(cycle)).toEqual([])
    expect(db.prepare('SELECT actor, version FROM journal ORDER BY seq').all()).toEqual([
      { actor: self, version: 2 },
      { actor: 'instance_memory', version: 1 },
    ])
    expect(rows.sessions.messages(self, { limit: 5 })).toHaveLength(1)
    expect(rows.cycles.get(cycle)).toMatchObject({ ask: 'x', answer: 'y' })
  })
})
