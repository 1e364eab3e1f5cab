import { describe, expect, it } from 'vitest'
import { sessionId } from '../../src/actors/session.ts'
import { hour } from '../../src/domain/clock.ts'
import { subconsciousKey } from '../../src/domain/session.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { type HouseOptions, house } from '../support/house.ts'
import { scriptedChat } from '../support/scripted-chat.ts'
import { importing, openhuman } from './import-house.ts'
import { pass, settle } from './scene.ts'

const open = (options: HouseOptions = {}) => {
  const agent = scriptedChat({ id: 'openai', model: 'deep-1', answer: () => 'It is done.' })
  return house({
    provider: scriptedProvider(),
    agent,
    ...options,
    settings: { 'orchestration.enabled': true, ...options.settings },
  }).then((home) => Object.assign(home, { agent }))
}

const at = (n: number) => `2026-03-01T10:00:${String(n).padStart(2, '0')}.500+00:00`
const session = (agent: string, name: string, label: string | null = null) => ({
  agent_id: agent,
  session_id: name,
  label,
  created_at: at(0),
  last_message_at: at(9),
})
const message = (id: string, n: number, role = 'agent', given: Record<string, string | number> = {}) => ({
  id,
  agent_id: '@anna',
  session_id: 'h1',
  chat_kind: 'session',
  role,
  body: `Message ${n}`,
  timestamp: at(n),
  seq: n,
  ...given,
})
const anna = sessionId({ agent: '@anna', session: 'h1' })

describe('sessions of an OpenHuman', () => {
  it('come over with the ids and the order of their messages, all answered and read', async () => {
    const home = await open()
    const there = openhuman()
    there.talk({
      sessions: [session('@anna', 'h1', 'Plans')],
      messages: [message('m2', 2, 'owner'), message('m1', 1), message('reply:7', 3, 'user')],
    })
    const { counts } = await importing(home, there.dir)
    expect(counts).toMatchObject({ sessions: [1, 0, 0], messages: [3, 0, 0] })
    const row = home.runtime.sessions.find('@anna/h1')
    expect(row).toMatchObject({ kind: 'peer', title: 'Plans', head: 3, inbound: 3, cursor: 3, read: 3, state: 'idle' })
    expect(row.activeAt).toBe(Date.parse(at(3)))
    const rows = home.runtime.stores.sessions.messages(row.id, { limit: 10 })
    expect(rows.map(({ id, role, body, at: when }) => [id, role, body, when])).toEqual([
      ['m1', 'user', 'Message 1', Date.parse(at(1))],
      ['m2', 'assistant', 'Message 2', Date.parse(at(2))],
      ['openhuman:reply:7', 'user', 'Message 3', Date.parse(at(3))],
    ])
    expect((await importing(home, there.dir)).counts).toMatchObject({ sessions: [0, 1, 0], messages: [0, 3, 0] })
  })

  it('are answered by nobody, not even after a restart, until somebody writes again', async () => {
    const home = await open()
    const there = openhuman()
    there.talk({ messages: [message('m1', 1)] })
    await importing(home, there.dir)
    await settle(home)
    await home.restart()
    await home.runtime.start()
    await pass(home, hour)
    expect(home.agent.requests).toEqual([])
    const { message: fresh } = await home.runtime.sessions.send({ session: '@anna/h1', body: 'And now?', id: 'm9' })
    await home.clock.advance(hour, () => settle(home))
    const { answer } = await home.runtime.sessions.answered(anna, fresh.seq)
    expect(answer?.body).toBe('It is done.')
  })

  it('take what is new the second time, but nothing once they have gone on here', async () => {
    const home = await open()
    const there = openhuman()
    there.talk({ messages: [message('m1', 1)] })
    await importing(home, there.dir)
    there.talk({ messages: [message('m2', 2)] })
    expect((await importing(home, there.dir)).counts.messages).toEqual([1, 1, 0])
    await home.runtime.sessions.send({ session: '@anna/h1', body: 'Hello', id: 'm3' })
    there.talk({ messages: [message('m4', 4)] })
    const { counts, refused } = await importing(home, there.dir)
    expect(counts.messages).toEqual([0, 2, 1])
    expect(refused).toEqual([expect.stringContaining('has gone on here')])
    expect(home.runtime.stores.sessions.message(anna, 'm4' as never)).toBeUndefined()
  })

  it('never speak as the user or as undermind, whatever their agents are called', async () => {
    const home = await open()
    const there = openhuman()
    const of = (agent: string, name = 'master') => ({ agent_id: agent, session_id: name })
    there.talk({
      messages: [
        message('m1', 1, 'user', of('user')),
        message('m2', 2, 'user', of('Undermind', 'x')),
        message('m3', 3, 'user', of('a b')),
        message('m4', 4, 'user', of('@anna', 'x'.repeat(300))),
        message('m5', 5, 'user', of('@bob')),
        message('m6', 6, 'user', of('@bob', 'one/two')),
        message('m7', 7, 'subconscious', of('subconscious', 'subconscious')),
      ],
    })
    const { counts } = await importing(home, there.dir)
    expect(counts.messages).toEqual([3, 0, 4])
    expect(home.runtime.sessions.find('master')).toMatchObject({ agent: 'user', head: 0 })
    expect(home.runtime.sessions.find('@bob/master')).toMatchObject({ kind: 'peer', head: 1 })
    expect(home.runtime.sessions.find('@bob/one/two').head).toBe(1)
    expect(home.runtime.stores.sessions.get(sessionId(subconsciousKey))).toMatchObject({
      kind: 'subconscious',
      head: 1,
    })
  })

  it('lose control characters and what is too long, and say so', async () => {
    const home = await open()
    const there = openhuman()
    there.talk({
      messages: [
        message('m1', 1, 'user', { body: 'a\u001B[2Jb\u0000' }),
        message('m2', 2, 'user', { body: '字'.repeat(60_000) }),
        message('m3', 3, 'user', { body: ' \u0007 ' }),
        message('m4', 4, 'ghost'),
      ],
    })
    const { counts, changed, refused } = await importing(home, there.dir)
    expect(counts.messages).toEqual([2, 0, 2])
    expect(changed).toHaveLength(2)
    expect(refused).toEqual(['messages: It says nothing.', 'messages: Its role is none that there is here.'])
    const [first, second] = home.runtime.stores.sessions.messages(anna, { after: 0, limit: 5 })
    expect(first!.body).toBe('a[2Jb')
    expect(Buffer.byteLength(second!.body)).toBeLessThanOrEqual(64 * 1024)
  })
})

describe('what cycles of an OpenHuman left', () => {
  const cycle = (id: string, n: number, given: Record<string, string | number> = {}) => ({
    cycle_id: id,
    agent_id: '@anna',
    session_id: 'h1',
    input_tokens: 4000,
    output_tokens: 200,
    text: `Summary ${n}`,
    created_at: at(n),
    ...given,
  })
  const diff = (id: string, seq: number, delta: string) => ({
    cycle_id: id,
    seq,
    agent_id: '@anna',
    session_id: 'h1',
    event_signature: `sig\n${seq}`,
    world_mutation: `world ${seq}`,
    delta,
    timestamp: at(seq),
  })

  it('is the history of the session, beside its messages, and no review reads it', async () => {
    const home = await open()
    const there = openhuman()
    there.talk({
      messages: [message('m1', 1), message('m2', 4), message('m3', 7)],
      compressed_history: [cycle('h1#4', 5), cycle('h1#1', 2), cycle('h1#9', 8, { text: ' ' })],
      world_diff: [diff('h1#4', 2, '{"files": 3}'), diff('h1#1', 1, 'three files')],
    })
    const { counts } = await importing(home, there.dir)
    expect(counts).toMatchObject({ history: [2, 0, 1], worldDiff: [2, 0, 0] })
    const { cycles, directives } = home.runtime.stores
    const summaries = cycles.summaries(anna, 0)
    expect(summaries.map(({ summary, through, number, tainted }) => [summary, through, number, tainted])).toEqual([
      ['Summary 2', 1, 1, true],
      ['Summary 5', 2, 2, true],
    ])
    expect(summaries[0]).toMatchObject({ traceTokens: 4000, at: Date.parse(at(2)) })
    const diffs = cycles.diffs(anna, 0)
    expect(diffs.map(({ seq, signature, change, delta }) => [seq, signature, change, delta])).toEqual([
      [1, 'sig 1', 'world 1', '{"text":"three files"}'],
      [2, 'sig 2', 'world 2', '{"files":3}'],
    ])
    expect(diffs.map((row) => row.cycle)).toEqual(summaries.map((row) => row.cycle))
    expect(directives.waiting()).toBe(0)
    await home.runtime.sessions.send({ session: '@anna/h1', body: 'Hello', id: 'm8' })
    expect((await importing(home, there.dir)).counts).toMatchObject({ history: [0, 2, 1], worldDiff: [0, 2, 0] })
  })
})

describe('directives of an OpenHuman', () => {
  it('come over as ones that have ended, so that nothing learned from one peer steers another', async () => {
    const home = await open()
    const there = openhuman()
    const directive = (id: number, text: string, by: number | null) => ({
      id,
      text,
      created_at: at(id),
      expires_after_cycles: id === 1 ? 0 : 1e9,
      created_cycle: 5,
      superseded_by: by,
    })
    const long = 'word '.repeat(300)
    there.talk({
      steering_directives: [directive(1, 'Be brief', 2), directive(2, long, null), directive(3, ' ', null)],
    })
    const { counts, changed } = await importing(home, there.dir)
    expect(counts.directives).toEqual([2, 0, 1])
    expect(changed.join()).toMatch(/does not hold here/)
    const [newest, older] = home.runtime.directives.history()
    expect(older).toMatchObject({ text: 'Be brief', state: 'superseded', supersededBy: newest!.id, expiresAfter: 1 })
    expect(newest).toMatchObject({ state: 'revoked', revokedBy: 'import', scope: null, expiresAfter: 200 })
    expect(newest!.text.length).toBeLessThanOrEqual(900)
    expect(home.runtime.directives.currentFor('@anna')).toBeNull()
    expect((await importing(home, there.dir)).counts.directives).toEqual([0, 2, 1])
    await home.runtime.directives.goBackTo(newest!.id)
    expect(home.runtime.directives.currentFor('user')?.text).toBe(newest!.text)
  })
})

describe('the other tables of sessions', () => {
  it('are told of, with how many rows they hold', async () => {
    const home = await open()
    const there = openhuman()
    there.talk({ kv: [{ k: 'cursor:@anna:h1', v: '3' }], sessions: [session('@anna', 'h1')] })
    const { notes } = await importing(home, there.dir)
    expect(notes).toEqual(
      expect.arrayContaining([
        'sessions: The table kv has no place here; its rows were left out: 1.',
        'sessions: The column workspace of sessions has no place here.',
      ]),
    )
  })
})
