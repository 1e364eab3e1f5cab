import { describe, expect, it, vi } from 'vitest'
import { Fault } from '../../src/domain/errors.ts'
import type { ActorId } from '../../src/domain/ids.ts'
import type { News } from '../../src/domain/news.ts'
import { HandClock } from '../support/clock.ts'
import { a, b, type Fetch, stage } from './stage.ts'

describe('a store that cannot write', () => {
  it('tells who asks, keeps what has a row, and goes on when it can', async () => {
    let full = false
    const { host, row, clock } = await stage({
      faulty: (ledger) => ({
        commit() {
          if (full) throw new Fault('store/disk-full', 'The disk is full.')
          ledger.commit()
        },
      }),
    })
    const states: string[] = []
    host.subscribe((item) => {
      if (item.type === 'store') states.push(item.state)
    })
    await host.spawn('counter', a, {}, null)
    await host.dispatch({ to: a, event: { type: 'wait' } })
    full = true
    await expect(host.dispatch({ to: a, event: { type: 'add', by: 100 } })).rejects.toThrow('The disk is full.')
    await clock.advance(1000, () => host.idle())
    await expect(host.dispatch({ to: a, event: { type: 'add', by: 1 } })).rejects.toThrow('The disk is full.')
    await expect(host.dispatchAll([{ to: a, event: { type: 'add', by: 1 } }])).rejects.toThrow('The disk is full.')
    await clock.advance(5000, () => host.idle())
    full = false
    await clock.advance(60_000, () => host.idle())
    expect(row(a)).toMatchObject({ state: 'idle', context: { count: 0, last: 'short' } })
    expect(states.at(0)).toBe('stalled')
    expect(states.at(-1)).toBe('flowing')
  })

  it('is tried again less and less often', async () => {
    const tries: number[] = []
    const clock = new HandClock(0)
    let full = false
    const { host } = await stage({
      clock,
      faulty: (ledger) => ({
        begin() {
          if (full) {
            tries.push(clock.now() / 1000)
            throw new Fault('store/locked', 'In use.')
          }
          ledger.begin()
        },
      }),
    })
    await host.spawn('counter', a, {}, null)
    await host.dispatch({ to: a, event: { type: 'wait' } })
    full = true
    const settle = async () => {
      await new Promise((next) => setImmediate(next))
      await host.idle()
    }
    clock.set(1000)
    await settle()
    await clock.advance(130_000, settle)
    expect(tries).toEqual([1, 2, 4, 8, 16, 32, 62, 92, 122])
    full = false
  })

  it('for ever is the end: everybody is told, work is broken off, and nothing is tried again', async () => {
    let lost = false
    let begun = 0
    const runs: AbortSignal[] = []
    const { host, clock } = await stage({
      fetch: {
        concurrency: 1,
        repeatable: () => true,
        run: (_input, { signal }) =>
          new Promise((_, reject) => {
            runs.push(signal)
            signal.addEventListener('abort', () => reject(signal.reason))
          }),
      },
      faulty: (ledger) => ({
        begin() {
          begun++
          if (lost) throw new Fault('store/taken-over', 'Another undermind has taken over.')
          ledger.begin()
        },
      }),
    })
    const news: News[] = []
    host.subscribe((item) => {
      if (item.type === 'store') news.push(item)
    })
    const ids = [a, b, 'counter_c' as ActorId]
    await host.spawnAll(
      'counter',
      null,
      ids.map((id) => ({ id, input: {} })),
    )
    await host.dispatchAll(ids.map((to, n) => ({ to, event: { type: n === 0 ? 'wait' : 'work' } })))
    lost = true
    const begunBefore = begun
    const sent = [1, 2].map((by) => host.dispatch({ to: a, event: { type: 'add', by } }))
    expect((await Promise.allSettled(sent)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expect(host.write(() => 1)).rejects.toMatchObject({ code: 'store/taken-over' })
    expect(news).toEqual([{ type: 'store', state: 'lost', reason: 'Another undermind has taken over.' }])
    await clock.advance(3_600_000, () => host.idle())
    expect(begun - begunBefore).toBe(1)
    expect(runs.map(({ aborted }) => aborted)).toEqual([true])
  })
})

describe('a host that has stopped', () => {
  it('has waited for work that must not run twice, however long that took', async () => {
    let end: (result: string) => void = () => {}
    const run = () =>
      new Promise<string>((resolve) => {
        end = resolve
      })
    const { host, outbox } = await stage({ fetch: { concurrency: 1, repeatable: () => false, run }, isLeft: true })
    await host.spawn('counter', a, {}, null)
    await host.dispatch({ to: a, event: { type: 'work' } })
    let ms = 0
    vi.spyOn(performance, 'now').mockImplementation(() => {
      ms += 60_000
      return ms
    })
    const stopped = host[Symbol.asyncDispose]()
    for (let turn = 0; turn < 10; turn++) await new Promise((next) => setImmediate(next))
    end('in the end')
    await stopped
    vi.restoreAllMocks()
    expect(outbox()).toEqual([{ key: 'counter_a/fetch/1', state: 'done', result: '"in the end"' }])
  })

  it('has left work behind that did not heed when it was told to stop', async () => {
    const fetch: Fetch = { concurrency: 1, repeatable: () => true, run: () => new Promise(() => {}) }
    const { host, outbox } = await stage({ fetch, isLeft: true })
    await host.spawn('counter', a, {}, null)
    await host.dispatch({ to: a, event: { type: 'work' } })
    await host[Symbol.asyncDispose]()
    expect(outbox()).toEqual([{ key: 'counter_a/fetch/1', state: 'pending', result: null }])
  })

  it('has done what it was asked before, and refuses everything after', async () => {
    const { host, row } = await stage()
    await host.spawn('counter', a, {}, null)
    const before = host.dispatch({ to: a, event: { type: 'add', by: 1 } })
    await host[Symbol.asyncDispose]()
    expect(await before).toBe('handled')
    expect(row(a).context.count).toBe(1)
    await expect(host.dispatch({ to: a, event: { type: 'add', by: 1 } })).rejects.toMatchObject({ code: 'host/closed' })
    await expect(host.spawn('counter', b, {}, null)).rejects.toMatchObject({ code: 'host/closed' })
  })
})

it('tries work again that the store could not take, instead of calling it failed', async () => {
  const clock = new HandClock(0)
  const full = new Fault('store/disk-full', 'The disk is full.')
  let refused = 1
  const fetch: Fetch = {
    concurrency: 1,
    repeatable: () => true,
    run: async () => {
      if (refused-- > 0) throw full
      return 'taken'
    },
  }
  const { host, row } = await stage({ clock, fetch })
  await host.spawn('counter', a, {}, null)
  await host.dispatch({ to: a, event: { type: 'work' } })
  await host.idle()
  expect(row(a).state).toBe('working')
  await clock.advance(5000, () => host.idle())
  expect(row(a)).toMatchObject({ state: 'idle', context: { last: 'taken' } })
})

it('does not try work again that was called off while the store could not take it', async () => {
  let runs = 0
  const run = async () => {
    if (runs++ === 0) throw new Fault('store/disk-full', 'The disk is full.')
    return 'taken'
  }
  const { host, row, clock } = await stage({ fetch: { concurrency: 1, repeatable: () => true, run } })
  await host.spawn('counter', a, {}, null)
  await host.dispatch({ to: a, event: { type: 'work' } })
  await host.idle()
  await host.dispatch({ to: a, event: { type: 'leave' } })
  await clock.advance(5000, () => host.idle())
  expect([runs, row(a).state, row(a).context.last]).toEqual([1, 'idle', ''])
})
