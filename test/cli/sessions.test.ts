import { describe, expect, it } from 'vitest'
import { minute } from '../../src/domain/clock.ts'
import { Fault } from '../../src/domain/errors.ts'
import { home, now } from './support/fake.ts'

const session = (given: Record<string, unknown> = {}) => ({
  id: 'session_1',
  agent: 'anna',
  session: 'plans',
  kind: 'peer',
  title: 'Plans',
  state: 'idle',
  reason: null as string | null,
  head: 2,
  inbound: 1,
  cursor: 1,
  read: 1,
  unread: 1,
  attempts: 0,
  utilization: 0.1,
  evicted: 0,
  remembered: 0,
  created_at: now,
  active_at: now - 5 * minute,
  ...given,
})
const master = (given: Record<string, unknown> = {}) =>
  session({ id: 'session_2', agent: 'user', session: 'master', kind: 'master', head: 0, unread: 0, ...given })

const message = (seq: number, given: Record<string, unknown> = {}) => ({
  id: `m${seq}`,
  session: 'session_1',
  seq,
  role: 'user',
  body: 'Are you there?',
  cycle: null,
  delivery: null,
  at: now - 6 * minute,
  ...given,
})
const answer = (seq: number, given: Record<string, unknown> = {}) =>
  message(seq, {
    role: 'assistant',
    body: 'Yes.',
    cycle: 'session_1:1',
    delivery: 'delivered',
    at: now - 5 * minute,
    ...given,
  })

describe('undermind sessions', () => {
  it('lists what there is, with what is unread and what failed', async () => {
    const failing = session({ state: 'retrying', reason: 'the model\nis down', session: 'chat', attempts: 2 })
    const it = home({ 'orchestration.sessions_list': [master(), session(), failing] })
    expect(await it.undermind('sessions')).toBe(0)
    expect(it.out()).toBe(
      [
        'session     unread  last message       state',
        'master                                 nothing said yet',
        'anna/plans  1       17:55 (5 min ago)  answered',
        'anna/chat   1       17:55 (5 min ago)  failed, is tried again: the model ⏎ is down',
        '',
      ].join('\n'),
    )
  })

  it('prints what it got for programs', async () => {
    const it = home({ 'orchestration.sessions_list': [session()] })
    await it.undermind('sessions', 'list', '--json')
    expect(JSON.parse(it.out())).toMatchObject([{ agent: 'anna', unread: 1, activeAt: now - 5 * minute }])
  })

  it('says how to switch them on while they are off', async () => {
    const it = home({
      'orchestration.sessions_list': () => {
        throw Fault.use('orchestration/disabled', 'Sessions are switched off here. Set enabled = true.')
      },
    })
    expect(await it.undermind('sessions')).toBe(2)
    expect(it.err()).toMatch(/switched off[\s\S]*orchestration\/disabled/)
  })
})

describe('undermind sessions show', () => {
  const shown = (messages: object[], row = session()) =>
    home({ 'orchestration.messages_list': { session: row, messages }, 'orchestration.mark_read': row })

  it('shows who said what, what came before, and what may not have arrived', async () => {
    const it = shown([message(3), answer(4, { delivery: 'unknown', body: 'Yes.\u001B[2J' })])
    expect(await it.undermind('sessions', 'show', 'anna/plans', '--limit', '2')).toBe(0)
    expect(it.out()).toContain(
      [
        '#3 anna, 17:54',
        '  Are you there?',
        '#4 undermind, 17:55 · nobody knows whether this arrived',
        '  Yes.⟨U+001B⟩[2J',
        '',
      ].join('\n'),
    )
    expect(it.out()).toMatch(/^2 earlier: undermind .*sessions show anna\/plans --before 3\n/)
    expect(it.door.calls).toEqual([
      { method: 'orchestration.messages_list', params: { session: 'anna/plans', limit: 2 } },
    ])
  })

  it('counts as read what a person was shown', async () => {
    const it = shown([message(1), answer(2)])
    it.io.isTTY = true
    await it.undermind('sessions', 'show', 'anna/plans')
    expect(it.door.calls.at(-1)).toEqual({
      method: 'orchestration.mark_read',
      params: { session: 'session_1', through: 2 },
    })
  })

  it('says so where nothing was said', async () => {
    const it = shown([], master())
    await it.undermind('sessions', 'show', 'master')
    expect(it.out()).toBe('Nothing has been said in master.\n')
  })
})

describe('undermind sessions send', () => {
  const sent = (given: Record<string, unknown> = {}) => ({
    'orchestration.message_send': { session: master(), message: message(1), is_new: true, answer: answer(2), ...given },
  })

  it('prints the answer', async () => {
    const it = home(sent())
    expect(await it.undermind('sessions', 'send', 'master', 'Are you there?')).toBe(0)
    expect(it.out()).toBe('Yes.\n')
    expect(it.door.calls[0]?.params).toEqual({ session: 'master', body: 'Are you there?', wait: true })
  })

  it('says why there is no answer yet, and ends with 1', async () => {
    const it = home(sent({ answer: null, session: master({ state: 'retrying', reason: 'The model is down.' }) }))
    expect(await it.undermind('sessions', 'send', 'master', 'hi')).toBe(1)
    expect(it.out()).toBe('')
    expect(it.err()).toBe('There is no answer yet: The model is down. It is tried again by itself.\n')
  })

  it('does not wait where it is told not to, and takes its text from what comes in', async () => {
    const it = home(sent({ answer: null, is_new: false }))
    it.io.stdin = 'a whole letter\n'
    expect(await it.undermind('sessions', 'send', 'anna/plans', '-', '--no-wait', '--id', 'm1')).toBe(0)
    expect(it.out()).toBe('Sent as #1 of master; it was there already.\n')
    expect(it.door.calls[0]?.params).toEqual({ session: 'anna/plans', body: 'a whole letter\n', wait: false, id: 'm1' })
  })
})

describe('undermind sessions new', () => {
  it('makes one, called main unless it is given a name', async () => {
    const it = home({ 'orchestration.sessions_create': session() })
    expect(await it.undermind('sessions', 'new', 'anna', 'plans', '--title', 'Plans')).toBe(0)
    expect(it.out()).toBe('There is a session anna/plans.\n')
    await it.undermind('sessions', 'new', 'anna')
    expect(it.door.calls.map(({ params }) => params)).toEqual([
      { agent: 'anna', session: 'plans', title: 'Plans' },
      { agent: 'anna', session: 'main' },
    ])
  })
})
