import { afterEach, describe, expect, it } from 'vitest'
import { type HostOptions, SqliteHost } from '../../src/actors/host.ts'
import type { WorkHandler } from '../../src/actors/work.ts'
import { day } from '../../src/domain/clock.ts'
import type { ActorId } from '../../src/domain/ids.ts'
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

async function stage(options: Partial<HostOptions> & { db?: Db; fetch?: Fetch } = {}) {
  const db = options.db ?? openStore({ file: ':memory:', synchronous: 'normal' })
  const clock = options.clock ?? new HandClock()
  const ledger = options.ledger ?? sqliteLedger(db)
  const host = new SqliteHost({
    ledger,
    clock,
    seats: [counterSeat],
    handlers: { 'counter.fetch': options.fetch ?? fetchAtOnce },
    ...options,
  })
  open.push(host)
  await host.start()
  const row = (id: ActorId) => {
    const found = ledger.actor(id)
    if (!found) throw new Error(`no row ${id}`)
    return {
      ...found,
      context:
        found.snapshot === null
          ? null
          : (JSON.parse(found.snapshot) as { context: { count: number; last: string } }).context,
    }
  }
  return { db, clock: clock as HandClock, ledger, host, row }
}

describe('a unit of work', () => {
  it('writes the actor, its journal and its messages to others in one transaction', async () => {
    const { host, row, ledger } = await stage()
    await host.spawn('counter', a, { tellTo: b }, null)
    await host.spawn('counter', b, {}, a)
    expect(await host.dispatch({ to: a, event: { type: 'ping' } })).toBe('handled')
    expect(row(b).context?.count).toBe(1)
    expect(ledger.journal(b).map(({ sender, toState }) => [sender, toState])).toEqual([
      [a, 'idle'],
      [a, 'idle'],
    ])
  })

  it('takes nothing back and publishes nothing when the commit fails, and redoes the message', async () => {
    const db = openStore({ file: ':memory:', synchronous: 'normal' })
    const ledger = sqliteLedger(db)
    let failures = 1
    const failing = {
      ...ledger,
      commit: () => {
        if (failures-- > 0) throw new Error('the disk hiccups')
        ledger.commit()
      },
    }
    const { host, row } = await stage({ db, ledger: failing })
    const news: News[] = []
    host.subscribe((item) => news.push(item))
    await host.spawn('counter', a, {}, null)
    await host.dispatch({ to: a, event: { type: 'add', by: 2 } })
    expect(row(a).context?.count).toBe(2)
    expect(news.map((item) => item.type === 'notification' && item.body)).toEqual(['0', '2'])
  })

  it('gives the same id from outside one effect and the same answer', async () => {
    const { host, row } = await stage()
    await host.spawn('counter', a, {}, null)
    expect(await host.dispatch({ id: 'm1', to: a, event: { type: 'add', by: 1 } })).toBe('handled')
    expect(await host.dispatch({ id: 'm1', to: a, event: { type: 'add', by: 1 } })).toBe('duplicate')
    expect(row(a).context?.count).toBe(1)
  })

  it('lets only the guilty message of a group suffer, and keeps it as a dead letter', async () => {
    const { host, row, db } = await stage()
    await host.spawnAll('counter', null, [
      { id: a, input: {} },
      { id: b, input: {} },
    ])
    const sent = [
      host.dispatch({ to: a, event: { type: 'add', by: 1 } }),
      host.dispatch({ to: a, event: { type: 'break' } }),
      host.dispatch({ to: b, event: { type: 'add', by: 1 } }),
    ]
    const [first, second, third] = await Promise.allSettled(sent)
    expect([first?.status, second?.status, third?.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect([row(a).context?.count, row(b).context?.count]).toEqual([1, 1])
    expect(db.prepare('SELECT actor, reason FROM dead_letter').all()).toEqual([
      { actor: a, reason: expect.stringContaining('a guard that throws') },
    ])
    await host.dispatch({ to: a, event: { type: 'add', by: 1 } })
    expect(row(a).context?.count).toBe(2)
  })

  it('undoes a write that throws without harming what shares its transaction', async () => {
    const { host, row, db } = await stage()
    await host.spawn('counter', a, {}, null)
    const results = await Promise.allSettled([
      host.dispatch({ to: a, event: { type: 'add', by: 1 } }),
      host.write(() => {
        db.prepare("INSERT INTO goal VALUES('g', 'x', 0)").run()
        throw new Error('second thoughts')
      }),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(db.prepare('SELECT count(*) AS n FROM goal').get()).toEqual({ n: 0 })
    expect(row(a).context?.count).toBe(1)
  })

  it('commits many ready messages together and journals each', async () => {
    const db = openStore({ file: ':memory:', synchronous: 'normal' })
    const ledger = sqliteLedger(db)
    let commits = 0
    const counted = {
      ...ledger,
      commit: () => {
        commits++
        ledger.commit()
      },
    }
    const { host } = await stage({ db, ledger: counted, groupMs: 1000 })
    await host.spawn('counter', a, {}, null)
    commits = 0
    await Promise.all(Array.from({ length: 50 }, () => host.dispatch({ to: a, event: { type: 'add', by: 1 } })))
    expect(commits).toBe(1)
    expect(ledger.journal(a)).toHaveLength(51)
    expect(ledger.actor(a)?.version).toBe(51)
  })

  it('drops a message to an actor that has ended, as a dead letter unless somebody asked', async () => {
    const { host, db } = await stage()
    await host.spawnAll('counter', null, [
      { id: a, input: { tellTo: b } },
      { id: b, input: {} },
    ])
    await host.dispatch({ to: b, event: { type: 'finish' } })
    expect(await host.dispatch({ to: b, event: { type: 'add', by: 1 } })).toBe('undeliverable')
    await host.dispatch({ to: a, event: { type: 'ping' } })
    expect(db.prepare('SELECT actor, reason FROM dead_letter').all()).toEqual([
      { actor: b, reason: 'the actor has ended' },
    ])
  })
})

describe('revival', () => {
  it('brings an actor back from its row with nothing done twice', async () => {
    const { host, row } = await stage()
    await host.spawn('counter', a, {}, null)
    await host.dispatch({ to: a, event: { type: 'add', by: 3 } })
    host.passivate(a)
    expect(host.liveActors).toBe(0)
    await host.dispatch({ to: a, event: { type: 'add', by: 4 } })
    expect(row(a).context?.count).toBe(7)
    expect(row(a).version).toBe(3)
  })

  it('spawns an id once, however often it is asked', async () => {
    const { host, row } = await stage()
    await Promise.all([host.spawn('counter', a, {}, null), host.spawn('counter', a, {}, null)])
    await host.dispatch({ to: a, event: { type: 'finish' } })
    await host.spawn('counter', a, {}, null)
    expect(row(a).status).toBe('done')
  })

  it('refuses a row of a chart version it does not know, with a sentence', async () => {
    const { host, db } = await stage()
    await host.spawn('counter', a, {}, null)
    host.passivate(a)
    db.prepare('UPDATE actor SET chart = 99').run()
    await expect(host.dispatch({ to: a, event: { type: 'add', by: 1 } })).rejects.toThrow(/version 99/)
  })
})

describe('work', () => {
  it('runs after the order is durable and its result moves the chart once', async () => {
    const { host, row } = await stage()
    await host.spawn('counter', a, {}, null)
    await host.dispatch({ to: a, event: { type: 'work' } })
    await host.idle()
    expect(row(a)).toMatchObject({ state: 'idle', context: { last: 'fetched 0' } })
  })

  it('runs again when its state is entered again, and drops the former result', async () => {
    const runs: AbortSignal[] = []
    const fetch: Fetch = {
      concurrency: 4,
      repeatable: () => true,
      run: (_input, { signal }) =>
        new Promise((resolve) =>
          runs.push(signal) === 2 ? resolve('second') : signal.addEventListener('abort', () => resolve('first')),
        ),
    }
    const { host, row, db } = await stage({ fetch })
    await host.spawn('counter', a, {}, null)
    await host.dispatch({ to: a, event: { type: 'work' } })
    await host.dispatch({ to: a, event: { type: 'again' } })
    await host.idle()
    expect(runs[0]?.aborted).toBe(true)
    expect(row(a).context?.last).toBe('second')
    expect(db.prepare('SELECT key, state FROM outbox ORDER BY key').all()).toEqual([
      { key: 'counter_a/fetch/1', state: 'cancelled' },
      { key: 'counter_a/fetch/2', state: 'done' },
    ])
  })

  it('hands the error to the chart as data', async () => {
    const fetch: Fetch = { concurrency: 1, repeatable: () => true, run: () => Promise.reject(new Error('no network')) }
    const { host, row } = await stage({ fetch })
    await host.spawn('counter', a, {}, null)
    await host.dispatch({ to: a, event: { type: 'work' } })
    await host.idle()
    expect(row(a).context?.last).toBe('runtime/unexpected')
  })

  it('never runs more of a kind at a time than its concurrency', async () => {
    let running = 0
    let most = 0
    const fetch: Fetch = {
      concurrency: 2,
      repeatable: () => true,
      async run() {
        most = Math.max(most, ++running)
        await new Promise((next) => setImmediate(next))
        running--
        return 'ok'
      },
    }
    const { host } = await stage({ fetch })
    const ids = Array.from({ length: 10 }, (_, n) => `counter_${n}` as ActorId)
    await host.spawnAll(
      'counter',
      null,
      ids.map((id) => ({ id, input: {} })),
    )
    await host.dispatchAll(ids.map((to) => ({ to, event: { type: 'work' } })))
    await host.idle()
    expect(most).toBe(2)
  })

  it('is done again after a restart when it may be, and asked about when it may not', async () => {
    const never: Fetch = { concurrency: 4, repeatable: () => false, run: () => new Promise(() => {}) }
    const db = openStore({ file: ':memory:', synchronous: 'normal' })
    const { host } = await stage({ db, fetch: never })
    await host.spawn('counter', a, {}, null)
    await host.dispatch({ to: a, event: { type: 'work' } })
    expect(db.prepare('SELECT state FROM outbox').pluck().get()).toBe('started')
    open.length = 0
    const second = await stage({ db, fetch: { ...never, run: () => Promise.resolve('ran twice') } })
    await second.host.idle()
    expect(second.row(a).context?.last).toBe('effect/unknown-outcome')
  })

  it('asks its check before it asks the user', async () => {
    const never: Fetch = { concurrency: 4, repeatable: () => false, run: () => new Promise(() => {}) }
    const db = openStore({ file: ':memory:', synchronous: 'normal' })
    const { host } = await stage({ db, fetch: never })
    await host.spawn('counter', a, {}, null)
    await host.dispatch({ to: a, event: { type: 'work' } })
    open.length = 0
    const second = await stage({
      db,
      fetch: { ...never, check: async () => ({ outcome: 'happened', output: 'it had' }) },
    })
    await second.host.idle()
    expect(second.row(a).context?.last).toBe('it had')
  })
})

describe('timers', () => {
  it('fire once, after the time they had left when the process was replaced', async () => {
    const db = openStore({ file: ':memory:', synchronous: 'normal' })
    const clock = new HandClock(0)
    const { host } = await stage({ db, clock })
    await host.spawn('counter', a, {}, null)
    await host.dispatch({ to: a, event: { type: 'wait' } })
    await clock.advance(600, () => host.idle())
    await host[Symbol.asyncDispose]()
    const second = await stage({ db, clock })
    await clock.advance(399, () => second.host.idle())
    expect(second.row(a).state).toBe('waiting')
    await clock.advance(1, () => second.host.idle())
    expect(second.row(a)).toMatchObject({ state: 'idle', context: { last: 'short' } })
    expect(db.prepare('SELECT count(*) AS n FROM timer').get()).toEqual({ n: 0 })
  })

  it('keep delays longer than a 32-bit timer can', async () => {
    const { host, row, clock, db } = await stage({ clock: new HandClock(0) })
    await host.spawn('counter', a, {}, null)
    await host.dispatch({ to: a, event: { type: 'wait' } })
    db.prepare("DELETE FROM timer WHERE name LIKE '%short%'").run()
    await clock.advance(59 * day, () => host.idle())
    expect(row(a).state).toBe('waiting')
    await clock.advance(day, () => host.idle())
    expect(row(a).context?.last).toBe('long')
  })

  it('are not delivered when one that fired just before has called them off', async () => {
    const { host, row, clock, db, ledger } = await stage({ clock: new HandClock(0) })
    await host.spawn('counter', a, {}, null)
    await host.dispatch({ to: a, event: { type: 'wait' } })
    db.prepare('UPDATE timer SET due_at = 1000').run()
    await clock.advance(1000, () => host.idle())
    expect(ledger.journal(a)).toHaveLength(3)
    expect(row(a).state).toBe('idle')
  })
})

describe('a store that cannot write', () => {
  it('tells who asks, keeps what has a row, and goes on when it can', async () => {
    const db = openStore({ file: ':memory:', synchronous: 'normal' })
    const ledger = sqliteLedger(db)
    const { Fault } = await import('../../src/domain/errors.ts')
    let full = false
    const failing = {
      ...ledger,
      commit: () => {
        if (full) throw new Fault('store/disk-full', 'The disk is full.')
        ledger.commit()
      },
    }
    const clock = new HandClock(0)
    const { host, row } = await stage({ db, ledger: failing, clock })
    const states: string[] = []
    host.subscribe((item) => {
      if (item.type === 'store') states.push(item.state)
    })
    await host.spawn('counter', a, {}, null)
    await host.dispatch({ to: a, event: { type: 'wait' } })
    full = true
    await clock.advance(1000, () => host.idle())
    await expect(host.dispatch({ to: a, event: { type: 'add', by: 1 } })).rejects.toThrow('The disk is full.')
    full = false
    await clock.advance(5000, () => host.idle())
    expect(row(a)).toMatchObject({ state: 'idle', context: { count: 0, last: 'short' } })
    expect(states).toEqual(['stalled', 'flowing'])
  })
})
