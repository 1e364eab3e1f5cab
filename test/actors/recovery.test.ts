import { afterEach, describe, expect, it } from 'vitest'
import { SqliteHost } from '../../src/actors/host.ts'
import type { WorkHandler } from '../../src/actors/work.ts'
import type { ActorId } from '../../src/domain/ids.ts'
import { sqliteLedger } from '../../src/store/ledger.ts'
import { type Db, openStore } from '../../src/store/open.ts'
import { HandClock } from '../support/clock.ts'
import { errandSeat } from './errand.ts'

/** Processes start one after the other. */
let startedAt = 0

type Go = WorkHandler<{ visit: number }, string>

const open: AsyncDisposable[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]()
})

/** A process over a store; one that is not closed is one that was killed. */
async function process(db: Db, go: Partial<Go>, told?: (found: string[]) => void) {
  const handler: Go = { concurrency: 4, repeatable: () => true, run: async ({ visit }) => `stop ${visit}`, ...go }
  const host = new SqliteHost({
    ledger: sqliteLedger(db),
    clock: new HandClock(++startedAt),
    seats: [errandSeat(told)],
    handlers: { 'errand.go': handler },
  })
  await host.start()
  return host
}

const never = () => new Promise<string>(() => {})
const store = () => openStore({ file: ':memory:', synchronous: 'normal' })
const errands = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `errand_${n}` as ActorId, input: { stops: 2 } }))

describe('work taken up after a crash', () => {
  it('gives its result to the visit that ordered it and to no later one', async () => {
    const db = store()
    const killed = await process(db, { run: never })
    await killed.spawnAll('errand', null, errands(1))
    const steps: string[][] = []
    open.push(await process(db, {}, (found) => steps.push(found)))
    await (open[0] as SqliteHost).idle()
    expect(steps).toEqual([['stop 1'], ['stop 1', 'stop 2']])
    expect(db.prepare('SELECT actor, event, reason FROM dead_letter').all()).toEqual([])
  })

  it('is taken up once, however much of it there is and whatever is ordered meanwhile', async () => {
    const db = store()
    const killed = await process(db, { run: never })
    await killed.spawnAll('errand', null, errands(1001))
    const runs = new Map<string, number>()
    const host = await process(db, {
      concurrency: 5000,
      run: async ({ visit }, { key }) => {
        runs.set(key, (runs.get(key) ?? 0) + 1)
        return `stop ${visit}`
      },
    })
    open.push(host)
    await host.idle()
    expect(runs.size).toBe(2002)
    expect([...runs].filter(([, times]) => times > 1)).toEqual([])
  })
})

describe('work that must not run twice', () => {
  it('is not entered as started while it has to wait, so that nobody is asked about what never began', async () => {
    const db = store()
    const once = { repeatable: () => false, concurrency: 2 }
    const killed = await process(db, { ...once, run: never })
    await killed.spawnAll('errand', null, errands(5))
    expect(db.prepare('SELECT state, count(*) AS n FROM outbox GROUP BY state ORDER BY state').all()).toEqual([
      { state: 'pending', n: 3 },
      { state: 'started', n: 2 },
    ])
    const host = await process(db, { ...once })
    open.push(host)
    await host.idle()
    expect(db.prepare("SELECT count(*) AS n FROM actor WHERE state = 'lost'").get()).toEqual({ n: 2 })
  })
})
