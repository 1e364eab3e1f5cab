import { describe, expect, it } from 'vitest'
import { invoke } from '../../src/rpc/invoke.ts'
import { methods } from '../../src/rpc/methods/index.ts'
import type { Services } from '../../src/rpc/services.ts'
import { services } from './samples.ts'

const call = (method: string, params: unknown, given: Partial<Services['sessions']> = {}) =>
  invoke(
    { methods, services: services({ sessions: given }), checkResults: true },
    `orchestration.${method}`,
    params,
    {},
  )

describe('orchestration.message_send', () => {
  it('does not wait unless it is asked to, and hands on no more than it was given', async () => {
    const orders: unknown[] = []
    const usual = services().sessions
    const send: Services['sessions']['send'] = (...order) => {
      orders.push(order)
      return usual.send(...order)
    }
    expect(await call('message_send', { session: 'master', body: 'hi' }, { send })).toMatchObject({
      is_new: true,
      answer: null,
      message: { seq: 1, role: 'user' },
      session: { unread: 2, active_at: expect.any(Number) },
    })
    const whole = { session: 'plans', agent: 'anna', body: 'hi', id: 'm1', wait: true }
    expect(await call('message_send', whole, { send })).toMatchObject({
      answer: { role: 'assistant', delivery: 'delivered' },
    })
    expect(orders).toEqual([
      [{ session: 'master', body: 'hi' }, { wait: false }],
      [{ session: 'plans', agent: 'anna', body: 'hi', id: 'm1' }, { wait: true }],
    ])
  })

  it.each([
    { body: 'hi' },
    { session: '', body: 'hi' },
    { session: 'x' },
    { session: 'x', body: 1 },
    { session: 'x', body: '', id: '' },
  ])('refuses %j', async (params) => {
    await expect(call('message_send', params)).rejects.toMatchObject({ code: 'rpc/invalid-params' })
  })
})

describe('orchestration.messages_list', () => {
  it('pages forwards or backwards, and not both at once', async () => {
    const pages: unknown[] = []
    const usual = services().sessions
    const messages: Services['sessions']['messages'] = (...given) => {
      pages.push(given)
      return usual.messages(...given)
    }
    await call('messages_list', { session: 'master' }, { messages })
    await call('messages_list', { session: 'master', before: 9, limit: 3 }, { messages })
    await call('messages_list', { session: 'master', after: 9 }, { messages })
    expect(pages).toEqual([
      ['master', { limit: 50 }],
      ['master', { before: 9, limit: 3 }],
      ['master', { after: 9, limit: 50 }],
    ])
    await expect(call('messages_list', { session: 'master', before: 9, after: 1 })).rejects.toMatchObject({
      code: 'rpc/invalid-params',
      message: expect.stringContaining('before and after exclude each other'),
    })
  })
})

describe('orchestration.sessions_create', () => {
  it('calls the session main where no name is given', async () => {
    const made: unknown[] = []
    const create: Services['sessions']['create'] = (...given) => {
      made.push(given)
      return services().sessions.create(...given)
    }
    await call('sessions_create', { agent: 'anna' }, { create })
    await call('sessions_create', { agent: 'anna', session: 'plans', title: ' Plans ' }, { create })
    expect(made).toEqual([
      [{ agent: 'anna', session: 'main' }, undefined],
      [{ agent: 'anna', session: 'plans' }, 'Plans'],
    ])
  })
})
