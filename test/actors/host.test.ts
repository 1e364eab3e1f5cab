import { describe, expect, it } from 'vitest'
import { setup } from 'xstate'
import type { FaultPoint } from '../../src/actors/host.ts'
import type { Seat, Turn } from '../../src/actors/seat.ts'
import { Fault } from '../../src/domain/errors.ts'
import type { ActorId } from '../../src/domain/ids.ts'
import type { News } from '../../src/domain/news.ts'
import { HandClock } from '../support/clock.ts'
import { counterSeat } from './counting.ts'
import { a, b, stage, store } from './stage.ts'

describe('a transaction of the host', () => {
  it('takes nothing back and publishes nothing when its commit fails, and is redone', async () => {
    let failures = 1
    const { host, row } = await stage({
      faulty: (ledger) => ({
        commit() {
          if (failures-- > 0) throw new Error('the disk hiccups')
          ledger.commit()
        },
      }),
    })
    const news: News[] = []
    host.subscribe((item) => news.push(item))
    await host.spawn('counter', a, {}, null)
    await host.dispatch({ to: a, event: { type: 'add', by: 2 } })
    expect(row(a).context.count).toBe(2)
    expect(news.map((item) => item.type === 'notification' && item.body)).toEqual(['0', '2'])
  })

  it('holds the messages that are ready together, writes each actor once and journals each message', async () => {
    let commits = 0
    let updates = 0
    const { host, ledger, row } = await stage({
      groupMs: 1000,
      faulty: (sound) => ({
        commit() {
          commits++
          sound.commit()
        },
        updateActor(...args) {
          updates++
          return sound.updateActor(...args)
        },
      }),
    })
    await host.spawn('counter', a, {}, null)
    commits = 0
    await Promise.all(Array.from({ length: 50 }, () => host.dispatch({ to: a, event: { type: 'add', by: 1 } })))
    expect([commits, updates]).toEqual([1, 1])
    expect(ledger.journal(a)).toHaveLength(51)
    expect(row(a).version).toBe(51)
    expect(await host.dispatch({ to: a, event: { type: 'leave' } })).toBe('ignored')
    expect([updates, ledger.journal(a).length]).toEqual([1, 51])
  })

  it('ends after the time a group may last', async () => {
    const points: FaultPoint[] = []
    const { host } = await stage({ groupMs: 0, fault: (point) => points.push(point) })
    await host.spawnAll('counter', null, [
      { id: a, input: {} },
      { id: b, input: {} },
    ])
    const one: FaultPoint[] = ['begun', 'before-commit', 'after-commit']
    expect(points).toEqual([...one, ...one])
  })

  it('is refused when somebody else has moved one of its actors, and tells who must not write', async () => {
    const db = store()
    const { host, row } = await stage({ db })
    await host.spawn('counter', a, {}, null)
    db.prepare('UPDATE actor SET version = version + 1').run()
    const sent = host.dispatch({ to: a, event: { type: 'add', by: 1 } })
    // It is revived from the row that the other has written, and then goes on from there.
    await expect(sent).resolves.toBe('handled')
    expect(row(a)).toMatchObject({ version: 3, context: { count: 1 } })
    const other = await stage({ faulty: () => ({ updateActor: () => false }) })
    await other.host.spawn('counter', a, {}, null)
    await expect(other.host.dispatch({ to: a, event: { type: 'add', by: 1 } })).rejects.toMatchObject({
      code: 'host/version-conflict',
    })
  })

  it('is given up when two actors answer each other without end', async () => {
    let calls = 0
    const { host, row, dead } = await stage({ seats: [echoSeat(() => calls++)] })
    await host.spawn('echo', a, {}, null)
    await expect(host.dispatch({ to: a, event: { type: 'call' } })).rejects.toMatchObject({
      code: 'host/endless-cascade',
    })
    // Three tries, each of ten thousand messages.
    expect(calls).toBeLessThan(40_000)
    expect(row(a).version).toBe(1)
    expect(dead()).toHaveLength(1)
  })

  it('lets go of a message that cannot be written down, and keeps its type', async () => {
    const { host, row, db } = await stage()
    await host.spawn('counter', a, {}, null)
    const sent = await Promise.allSettled([
      host.dispatch({ to: a, event: { type: 'add', by: 1n } }),
      host.dispatch({ to: a, event: { type: 'add', by: 1 } }),
    ])
    expect(sent.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    expect(row(a).context.count).toBe(1)
    expect(db.prepare('SELECT event FROM dead_letter').pluck().all()).toEqual(['{"type":"add"}'])
  })

  it('goes on without a message that cannot even be kept as a dead letter', async () => {
    const { host, row, dead } = await stage({
      faulty: () => ({
        bury() {
          throw new Error('no room for letters')
        },
      }),
    })
    await host.spawn('counter', a, {}, null)
    await expect(host.dispatch({ to: a, event: { type: 'break' } })).rejects.toThrow('a guard that throws')
    expect(await host.dispatch({ to: a, event: { type: 'add', by: 1 } })).toBe('handled')
    expect([row(a).context.count, dead()]).toEqual([1, []])
  })

  it('keeps a bad message until it can be kept as a dead letter', async () => {
    let full = true
    const touchy: Seat = {
      ...counterSeat,
      moved({ after }) {
        if (after.context.last !== '') throw new Error('a seat that throws')
      },
    } as Seat
    const { host, dead, clock } = await stage({
      seats: [touchy],
      faulty: (ledger) => ({
        bury(letter) {
          if (full) throw new Fault('store/disk-full', 'The disk is full.')
          ledger.bury(letter)
        },
      }),
    })
    await host.spawn('counter', a, {}, null)
    await host.dispatch({ to: a, event: { type: 'wait' } })
    clock.set(1000)
    await host.idle()
    expect(dead()).toEqual([])
    full = false
    await clock.advance(5000, async () => {
      await new Promise((next) => setImmediate(next))
      await host.idle()
    })
    expect(dead()).toEqual([{ actor: a, reason: 'a seat that throws' }])
  })

  it('gives a write that throws nothing a reason of its own', async () => {
    const { host } = await stage()
    const nothing = () => {
      throw undefined
    }
    await expect(host.write(nothing)).rejects.toMatchObject({ code: 'host/write-failed' })
  })

  it('is the only place in which an actor may act', async () => {
    let kept: Turn | undefined
    const seat: Seat = {
      ...counterSeat,
      machine(turn) {
        kept = turn
        return counterSeat.machine(turn)
      },
    } as Seat
    const { host } = await stage({ seats: [seat] })
    await host.spawn('counter', a, {}, null)
    expect(() => kept?.tell(a, a, { type: 'add', by: 1 })).toThrow(expect.objectContaining({ code: 'host/no-turn' }))
  })
})

describe('a seat', () => {
  it('may add to an event what rows say of it, before the chart and the journal have it', async () => {
    const seat: Seat = {
      ...counterSeat,
      complete: (event, actor, { now }) =>
        event.type === 'add' && actor === a ? { ...event, by: now + Number((event as { by?: number }).by) } : event,
    } as Seat
    const { host, row, ledger } = await stage({ seats: [seat], clock: new HandClock(40) })
    await host.spawn('counter', a, {}, null)
    await host.dispatch({ to: a, event: { type: 'add', by: 2 } })
    expect(row(a).context.count).toBe(42)
    expect(JSON.parse(ledger.journal(a)[1]?.event ?? '')).toEqual({ type: 'add', by: 42 })
  })
})

describe('actors in memory', () => {
  it('leave it when they end, when they rest, and when they are passivated', async () => {
    const resting: Seat = { ...counterSeat, rests: (snapshot) => snapshot.matches('waiting') } as Seat
    const { host } = await stage({ seats: [resting] })
    const ids = [a, b, 'counter_c' as ActorId]
    await host.spawnAll(
      'counter',
      null,
      ids.map((id) => ({ id, input: {} })),
    )
    expect(host.liveActors).toBe(3)
    await host.dispatch({ to: a, event: { type: 'finish' } })
    await host.dispatch({ to: b, event: { type: 'wait' } })
    expect(host.liveActors).toBe(1)
    host.passivate(ids[2]!)
    expect(host.liveActors).toBe(0)
  })

  it('leave it when their transaction is taken back, since they are ahead of their rows', async () => {
    const { host, row } = await stage()
    await host.spawn('counter', a, {}, null)
    await expect(host.dispatch({ to: a, event: { type: 'break' } })).rejects.toThrow('a guard that throws')
    expect(host.liveActors).toBe(0)
    await host.dispatch({ to: a, event: { type: 'add', by: 1 } })
    expect(row(a)).toMatchObject({ version: 2, context: { count: 1 } })
  })

  it('that cannot even begin are not made', async () => {
    const stillborn = setup({ types: {} as { context: object } }).createMachine({
      id: 'stillborn',
      context: () => {
        throw new Error('no context')
      },
    })
    const { host, ledger } = await stage({ seats: [{ kind: 'stillborn', version: 1, machine: () => stillborn }] })
    await expect(host.spawn('stillborn', a, {}, null)).rejects.toThrow('no context')
    expect([ledger.actor(a), ledger.journal(a), host.liveActors]).toEqual([undefined, [], 0])
  })

  it('are refused when their row is of a chart version that nobody knows, with a sentence', async () => {
    const { host, db, dead } = await stage()
    await host.spawn('counter', a, {}, null)
    host.passivate(a)
    db.prepare('UPDATE actor SET chart = 99').run()
    await expect(host.dispatch({ to: a, event: { type: 'add', by: 1 } })).rejects.toThrow(/version 99/)
    expect(dead()).toHaveLength(1)
    db.prepare('UPDATE actor SET chart = 1').run()
    expect(await host.dispatch({ to: a, event: { type: 'add', by: 1 } })).toBe('handled')
  })

  it('are brought up to date, step by step, when their row is of an earlier version of the chart', async () => {
    const db = store()
    const first = await stage({ db })
    await first.host.spawn('counter', a, {}, null)
    const add = (by: number) => (snapshot: unknown) => {
      const { context, ...rest } = snapshot as { context: { count: number } }
      return { ...rest, context: { ...context, count: context.count * 10 + by } }
    }
    const newer: Seat = { ...counterSeat, version: 3, upgrades: { 1: add(1), 2: add(2) } } as Seat
    const { host, row } = await stage({ db, seats: [newer] })
    await host.dispatch({ to: a, event: { type: 'add', by: 100 } })
    expect(row(a)).toMatchObject({ chart: 3, context: { count: 112 } })
  })

  it('may delay what they do themselves, and nothing else', async () => {
    const { host } = await stage({ seats: [nagSeat] })
    await expect(host.spawn('nag', a, {}, null)).rejects.toMatchObject({ code: 'host/delayed-send' })
  })
})

/** Answers every call of its own by calling again. */
const echo = setup({ types: {} as { events: { type: 'call' } }, actions: { callAgain: () => {} } }).createMachine({
  id: 'echo',
  on: { call: { actions: 'callAgain' } },
})
const echoSeat = (called: () => void): Seat<typeof echo> => ({
  kind: 'echo',
  version: 1,
  machine: (turn) =>
    echo.provide({
      actions: {
        callAgain: ({ self }) => {
          called()
          turn.tell(self.id as ActorId, self.id as ActorId, { type: 'call' })
        },
      },
    }),
})

/** Sends a message to another actor with a delay, which nobody keeps. */
const nag = setup({ actions: { nag: () => {} } }).createMachine({ id: 'nag', entry: 'nag' })
const nagSeat: Seat<typeof nag> = {
  kind: 'nag',
  version: 1,
  machine: () =>
    nag.provide({
      actions: {
        nag: ({ self, system }) => system.scheduler.schedule(self, self._parent!, { type: 'nag' }, 1000, 'nag'),
      },
    }),
}
