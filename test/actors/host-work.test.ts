import { describe, expect, it } from 'vitest'
import type { Seat } from '../../src/actors/seat.ts'
import { Fault } from '../../src/domain/errors.ts'
import type { ActorId } from '../../src/domain/ids.ts'
import { HandClock } from '../support/clock.ts'
import { counterSeat } from './counting.ts'
import { a, b, type Fetch, stage, store } from './stage.ts'

describe('the outbox', () => {
  it('has work that must not run twice as started before it runs, and the rest as pending', async () => {
    const started: unknown[] = []
    const look = (repeatable: boolean): Fetch => ({
      concurrency: 1,
      repeatable: () => repeatable,
      async run() {
        started.push(...theatre.outbox().map((row) => (row as { state: string }).state))
        return 'done'
      },
    })
    let theatre = await stage({ fetch: look(false) })
    await theatre.host.spawn('counter', a, {}, null)
    await theatre.host.dispatch({ to: a, event: { type: 'work' } })
    await theatre.host.idle()
    theatre = await stage({ fetch: look(true) })
    await theatre.host.spawn('counter', a, {}, null)
    await theatre.host.dispatch({ to: a, event: { type: 'work' } })
    await theatre.host.idle()
    expect(started).toEqual(['started', 'pending'])
    expect(theatre.outbox()).toEqual([{ key: 'counter_a/fetch/1', state: 'done', result: '"done"' }])
  })

  it('keeps what became of work that was called off while it ran', async () => {
    const fetch: Fetch = {
      concurrency: 1,
      repeatable: () => false,
      run: (_input, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('sent'))),
    }
    const { host, outbox } = await stage({ fetch })
    await host.spawn('counter', a, {}, null)
    await host.dispatch({ to: a, event: { type: 'work' } })
    await host.dispatch({ to: a, event: { type: 'leave' } })
    await host.idle()
    expect(outbox()).toEqual([{ key: 'counter_a/fetch/1', state: 'cancelled', result: '"sent"' }])
  })

  it('tells a failure from an outcome that nobody knows', async () => {
    const failing: Fetch = {
      concurrency: 1,
      repeatable: () => true,
      run: () => Promise.reject(new Error('no network')),
    }
    const { host, outbox } = await stage({ fetch: failing })
    await host.spawn('counter', a, {}, null)
    await host.dispatch({ to: a, event: { type: 'work' } })
    await host.idle()
    const result = JSON.stringify({ code: 'runtime/unexpected', message: 'no network' })
    expect(outbox()).toEqual([{ key: 'counter_a/fetch/1', state: 'failed', result }])
  })

  it('has work that must not run twice as unknown when a killed process had begun it', async () => {
    const db = store()
    const fetch: Fetch = { concurrency: 1, repeatable: () => false, run: () => new Promise(() => {}) }
    const killed = await stage({ db, fetch, isLeft: true })
    await killed.host.spawn('counter', a, {}, null)
    await killed.host.dispatch({ to: a, event: { type: 'work' } })
    const { host, outbox } = await stage({ db, fetch })
    await host.idle()
    expect(outbox()).toMatchObject([{ key: 'counter_a/fetch/1', state: 'unknown' }])
  })

  it('lets go of a result that its actor cannot take, as a dead letter', async () => {
    const touchy: Seat = {
      ...counterSeat,
      moved({ after }) {
        if (after.context.last !== '') throw new Error('a seat that throws')
      },
    } as Seat
    const { host, outbox, dead, row } = await stage({ seats: [touchy] })
    await host.spawn('counter', a, {}, null)
    await host.dispatch({ to: a, event: { type: 'work' } })
    await host.idle()
    expect(dead()).toEqual([{ actor: a, reason: 'a seat that throws' }])
    expect(outbox()).toEqual([{ key: 'counter_a/fetch/1', state: 'done', result: '"fetched 0"' }])
    expect(row(a).state).toBe('working')
  })

  it.each<[string, Fetch['run'], string]>([
    ['result', async () => 'fetched', 'fetched'],
    ['failure', () => Promise.reject(new Fault('model/down', 'It is down.')), 'model/down'],
  ])('hands a %s over again to an actor that could not take it at first', async (_, run, last) => {
    let isTouchy = true
    const touchy: Seat = {
      ...counterSeat,
      moved({ after }) {
        if (isTouchy && after.context.last !== '') throw new Error('a seat that throws')
      },
    } as Seat
    let runs = 0
    const fetch: Fetch = {
      concurrency: 1,
      repeatable: () => true,
      run(...given) {
        runs++
        return run(...given)
      },
    }
    const { host, row, dead } = await stage({ seats: [touchy], fetch })
    await host.spawn('counter', a, {}, null)
    await host.dispatch({ to: a, event: { type: 'work' } })
    await host.idle()
    expect([row(a).state, dead().length]).toEqual(['working', 1])
    isTouchy = false
    await host.dispatch({ to: a, event: { type: 'add', by: 1 } })
    await host.idle()
    expect(row(a)).toMatchObject({ state: 'idle', context: { count: 1, last } })
    expect(runs).toBe(1)
  })
})

describe('timers', () => {
  it('come due in any number at one moment', async () => {
    const { host, row, clock, db } = await stage()
    const ids = Array.from({ length: 250 }, (_, n) => `counter_${n}` as ActorId)
    await host.spawnAll(
      'counter',
      null,
      ids.map((id) => ({ id, input: {} })),
    )
    await host.dispatchAll(ids.map((to) => ({ to, event: { type: 'wait' } })))
    await clock.advance(1000, async () => {
      for (let round = 0; round < 5; round++) {
        await new Promise((next) => setImmediate(next))
        await host.idle()
      }
    })
    expect(ids.filter((id) => row(id).context.last !== 'short')).toEqual([])
    expect(db.prepare('SELECT count(*) AS n FROM timer').get()).toEqual({ n: 0 })
  })

  it('that cannot be taken are dead letters, and those due with them are taken', async () => {
    const touchy: Seat = {
      ...counterSeat,
      moved({ id, after }) {
        if (id === a && after.context.last !== '') throw new Error('a seat that throws')
      },
    } as Seat
    const { host, row, clock, dead, db } = await stage({ seats: [touchy] })
    await host.spawnAll('counter', null, [
      { id: a, input: {} },
      { id: b, input: {} },
    ])
    await host.dispatchAll([a, b].map((to) => ({ to, event: { type: 'wait' } })))
    clock.set(1000)
    await host.idle()
    expect(dead()).toEqual([{ actor: a, reason: 'a seat that throws' }])
    expect([row(a).state, row(b).state]).toEqual(['waiting', 'idle'])
    expect(db.prepare('SELECT actor FROM timer').pluck().all()).toEqual([a])
  })

  it('are looked at every minute, however far away they are, so that a clock that was set is noticed', async () => {
    const { host, clock } = await stage()
    await host.spawn('counter', a, {}, null)
    await host.dispatch({ to: a, event: { type: 'waitLong' } })
    for (let minute = 0; minute < 3; minute++) {
      expect(clock.nextWakeAt).toBe(clock.now() + 60_000)
      await clock.advance(60_000, () => host.idle())
    }
  })

  it('are looked at anew when the clock was set back, but not for a second', async () => {
    let turned = 0
    const clock = new HandClock(1_000_000)
    const { host } = await stage({ clock, onTurnedBack: () => turned++ })
    await host.spawn('counter', a, {}, null)
    const arm = () => host.dispatchAll([a, a].map((to, n) => ({ to, event: { type: n === 0 ? 'wait' : 'leave' } })))
    await arm()
    clock.set(999_000)
    await arm()
    expect(turned).toBe(0)
    clock.set(900_000)
    await arm()
    expect(turned).toBe(1)
    await arm()
    expect(turned).toBe(1)
  })
})
