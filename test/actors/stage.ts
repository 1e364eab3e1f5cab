import { onTestFinished } from 'vitest'
import { type HostOptions, SqliteHost } from '../../src/actors/host.ts'
import type { WorkHandler } from '../../src/actors/work.ts'
import type { ActorId } from '../../src/domain/ids.ts'
import type { Ledger } from '../../src/domain/ledger.ts'
import { sqliteLedger } from '../../src/store/ledger.ts'
import { type Db, openStore } from '../../src/store/open.ts'
import { HandClock } from '../support/clock.ts'
import { counterSeat } from './counting.ts'

export const a = 'counter_a' as ActorId
export const b = 'counter_b' as ActorId

export type Fetch = WorkHandler<{ count: number }, string>
const fetchAtOnce: Fetch = { concurrency: 4, repeatable: () => true, run: async ({ count }) => `fetched ${count}` }

interface Setting extends Partial<Omit<HostOptions, 'ledger'>> {
  db?: Db
  /** What the ledger does differently. */
  faulty?: (ledger: Ledger) => Partial<Ledger>
  fetch?: Fetch
  /** True for one that ends with its process, or that the test itself stops. */
  isLeft?: boolean
}

export const store = () => openStore({ file: ':memory:', synchronous: 'normal' })

/** A host over SQLite in memory, with counters unless the test says otherwise. */
export async function stage({ db = store(), faulty, fetch = fetchAtOnce, isLeft, ...options }: Setting = {}) {
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
  if (!isLeft) onTestFinished(() => host[Symbol.asyncDispose]())
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
