import { afterEach, describe, expect, it, vi } from 'vitest'
import { setup } from 'xstate'
import { type FaultPoint, type HostOptions, SqliteHost } from '../../src/actors/host.ts'
import type { Seat, Turn } from '../../src/actors/seat.ts'
import type { WorkHandler } from '../../src/actors/work.ts'
import { Fault } from '../../src/domain/errors.ts'
import type { ActorId } from '../../src/domain/ids.ts'
import type { Ledger } from '../../src/domain/ledger.ts'
import type { News } from '../../src/domain/news.ts'
import { sqliteLedger } from '../../src/store/ledger.ts'
import { type Db, openStore } from '../../src/store/open.ts'
import { HandClock } from '../support/clock.ts'
import { counterSeat } from './counting.ts'

const a = 'counter_a' as ActorId
const b = 'counter_b' as ActorId

const open: AsyncDisposable[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]()
})

type Fetch = WorkHandler<{ count: number }, string>
const fetchAtOnce: Fetch = { concurrency: 4, repeatable: () => true, run: async ({ count }) => `fetched ${count}` }

interface Setting extends Partial<Omit<HostOptions, 'ledger'>> {
  db?: Db
  /** What the ledger does differently. */
  faulty?: (ledger: Ledger) => Partial<Ledger>
  fetch?: Fetch
}

async function stage({ db = store(), faulty, fetch = fetchAtOnce, ...options }: Setting = {}) {
  const clock = options.clock ?? new HandClock(0)
  const sound = sqliteLedger(db)
  const ledger = { ...sound, ...faulty?.(sound) }
  const host = new SqliteHost({
    clock,
    seats: [counterSeat],
    handlers: { 'counter.fetch': fetch },
    ...options,
    ledger,
  })
  open.push(host)
  await host.start()
  const row = (id: ActorId) => {
    const found = sound.actor(id)
    if (!found) throw new Error(`no row ${id}`)
    const { context } = JSON.parse(found.snapshot ?? '{"context":null}') as { context: { count: number; last: string } }
    return { ...found, context }
  }
  const dead = () => db.prepare('SELECT actor, reason FROM dead_letter ORDER BY seq').all()
  const outbox = () => db.prepare('SELECT key, state, result FROM outbox ORDER BY key').all()
  return { db, clock: clock as HandClock, ledger: sound, host, row, dead, outbox }
}

const store = () => openStore({ file: ':memory:', synchronous: 'normal' })

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
    const { host, row, dead } = await stage({ seats: [echoSeat] })
    await host.spawn('echo', a, {}, null)
    await expect(host.dispatch({ to: a, event: { type: 'call' } })).rejects.toMatchObject({
      code: 'host/endless-cascade',
    })
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
    const killed = await stage({ db, fetch })
    await killed.host.spawn('counter', a, {}, null)
    await killed.host.dispatch({ to: a, event: { type: 'work' } })
    open.length = 0
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
    const { host, outbox } = await stage({ fetch: { concurrency: 1, repeatable: () => false, run } })
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
    open.length = 0
    expect(outbox()).toEqual([{ key: 'counter_a/fetch/1', state: 'done', result: '"in the end"' }])
  })

  it('has left work behind that did not heed when it was told to stop', async () => {
    const fetch: Fetch = { concurrency: 1, repeatable: () => true, run: () => new Promise(() => {}) }
    const { host, outbox } = await stage({ fetch })
    await host.spawn('counter', a, {}, null)
    await host.dispatch({ to: a, event: { type: 'work' } })
    open.length = 0
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

/** Answers every call of its own by calling again. */
const echo = setup({ types: {} as { events: { type: 'call' } }, actions: { callAgain: () => {} } }).createMachine({
  id: 'echo',
  on: { call: { actions: 'callAgain' } },
})
const echoSeat: Seat<typeof echo> = {
  kind: 'echo',
  version: 1,
  machine: (turn) =>
    echo.provide({
      actions: { callAgain: ({ self }) => turn.tell(self.id as ActorId, self.id as ActorId, { type: 'call' }) },
    }),
}

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

it('tries work again that the store could not take, instead of calling it failed', async () => {
  const db = openStore({ file: ':memory:', synchronous: 'normal' })
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
  const { host, row } = await stage({ db, clock, fetch })
  await host.spawn('counter', a, {}, null)
  await host.dispatch({ to: a, event: { type: 'work' } })
  await host.idle()
  expect(row(a).state).toBe('working')
  await clock.advance(5000, () => host.idle())
  expect(row(a)).toMatchObject({ state: 'idle', context: { last: 'taken' } })
})
