import { setImmediate } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { ActorHost } from '../../../src/actors/actor-host.ts'
import type { Seat } from '../../../src/actors/seat.ts'
import type { WorkHandler, WorkHandlers } from '../../../src/actors/work.ts'
import type { Clock } from '../../../src/domain/clock.ts'
import type { ActorId } from '../../../src/domain/ids.ts'
import type { ActorRow, DeadLetter, JournalRow } from '../../../src/domain/ledger.ts'
import { HandClock } from '../../support/clock.ts'
import { counterSeat } from '../counting.ts'

/** What a host is made from. */
export interface Setting {
  clock: Clock
  seats: readonly Seat[]
  handlers: WorkHandlers
}

/** A process in which a host works, and what of it is durable. */
export interface Process {
  host: ActorHost
  /** Resolves when nothing is under way or queued. */
  idle(): Promise<void>
  actor(id: ActorId): ActorRow | undefined
  journal(id: ActorId): JournalRow[]
  deadLetters(): Pick<DeadLetter, 'actor' | 'reason'>[]
  /** Puts a value into the host's store; only within a write of the host's. */
  keep(name: string, value: string): void
  kept(name: string): unknown
  /** Stops in order. */
  close(): Promise<void>
}

/** Where the rows are: they outlive every process that works over them. */
export interface Theatre {
  /** Takes up what an earlier process left. One that was not closed is one that was killed. */
  open(setting: Setting): Promise<Process>
  remove(): Promise<void>
}

export type MakeTheatre = () => Promise<Theatre>

export type Fetch = WorkHandler<{ visit: number; count: number }, string>

export interface Cast {
  /** How the work of a counter is done; not given, it comes to `fetched <count>`. */
  fetch?: Partial<Fetch>
  handlers?: WorkHandlers
}

export const a = 'counter_a' as ActorId
export const b = 'counter_b' as ActorId
export const c = 'counter_c' as ActorId

/** Work that the end of the test ends. */
export const endless = (): Promise<never> => new Promise(() => {})

/** A host with counters over an empty store. */
export async function play(make: MakeTheatre, cast: Cast = {}): Promise<Play> {
  const theatre = await make()
  const stage: { last: Process | null } = { last: null }
  onTestFinished(async () => {
    await stage.last?.close()
    await theatre.remove()
  })
  return enter(theatre, stage, cast, new HandClock(0))
}

export type Play = Process & {
  clock: HandClock
  /** Turns the clock on and lets everything that comes due run its course. */
  pass(ms: number): Promise<void>
  /** The counter as it is durable. */
  counter(id: ActorId): { state: string; version: number; count: number; last: string }
  /** Stops in order; the next process begins so many milliseconds later. */
  restarted(cast?: Cast, later?: number): Promise<Play>
  /** The process ends at this moment, whatever it was doing; the next one takes up what is there. */
  killed(cast?: Cast, later?: number): Promise<Play>
}

async function enter(theatre: Theatre, stage: { last: Process | null }, cast: Cast, clock: HandClock): Promise<Play> {
  const fetch: Fetch = {
    concurrency: 4,
    repeatable: () => true,
    run: async ({ count }) => `fetched ${count}`,
    ...cast.fetch,
  }
  const handlers = cast.handlers ?? { 'counter.fetch': fetch }
  const process = await theatre.open({ clock, seats: [counterSeat], handlers })
  stage.last = process
  return {
    ...process,
    clock,
    async pass(ms) {
      await process.idle()
      clock.set(clock.now() + ms)
      // What is due already is woken in a turn of its own, and may lead to more.
      for (let turn = 0; turn < 3; turn++) {
        await setImmediate()
        await process.idle()
      }
    },
    counter(id) {
      const row = process.actor(id)
      if (!row) throw new Error(`There is no ${id}.`)
      const { count, last } = (JSON.parse(row.snapshot ?? '{"context":{"count":-1,"last":""}}') as Kept).context
      return { state: row.state, version: row.version, count, last }
    },
    async restarted(next = {}, later = 0) {
      await process.close()
      return enter(theatre, stage, next, new HandClock(clock.now() + later))
    },
    // The clock that the killed process waits for is turned no more, so nothing wakes it.
    killed: (next = {}, later = 0) => enter(theatre, stage, next, new HandClock(clock.now() + later)),
  }
}

interface Kept {
  context: { count: number; last: string }
}
