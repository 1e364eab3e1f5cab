import { afterEach, describe, expect, it } from 'vitest'
import { SqliteHost } from '../../src/actors/host.ts'
import type { WorkHandler } from '../../src/actors/work.ts'
import type { ActorId } from '../../src/domain/ids.ts'
import { sqliteLedger } from '../../src/store/ledger.ts'
import { type Db, openStore } from '../../src/store/open.ts'
import { HandClock } from '../support/clock.ts'
import { errandSeat } from './errand.ts'

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
    clock: new HandClock(0),
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
})
