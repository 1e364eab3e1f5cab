import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { id, type TaskId, type WorldId } from '../../src/domain/ids.ts'
import type { CountedCall } from '../../src/domain/usage.ts'
import { type Db, openStore } from '../../src/store/open.ts'
import { tickStore } from '../../src/store/ticks.ts'
import { type UsageStore, usageStore } from '../../src/store/usage.ts'
import { sharesOf } from '../../src/store/usage-shares.ts'

let db: Db
let store: UsageStore
beforeEach(() => {
  db = openStore({ file: ':memory:', synchronous: 'normal' })
  store = usageStore(db)
})
afterEach(() => void db.close())

const memory = id<WorldId>('memory')
const day = '2026-11-30'
const tasksOf = (...names: string[]) => names.map((name) => id<TaskId>(name))

let made = 0
const call = (given: Partial<CountedCall> = {}): CountedCall => ({
  id: id(`call_${made++}`),
  tick: null,
  batch: null,
  world: memory,
  evaluation: null,
  tasks: tasksOf('t1'),
  provider: 'ollama',
  model: 'small',
  route: 'local',
  purpose: 'judge',
  promptDigest: 'd',
  answer: '[]',
  repaired: 0,
  calls: 1,
  failed: false,
  promptTokens: 10,
  completionTokens: 4,
  cost: null,
  durationMs: 7,
  at: 1000,
  day,
  ...given,
})
const cloud = (given: Partial<CountedCall> = {}) =>
  call({ provider: 'openai', model: 'large', route: 'cloud', ...given })

const nothing = {
  calls: 0,
  localCalls: 0,
  cloudCalls: 0,
  failedCalls: 0,
  promptTokens: 0,
  completionTokens: 0,
  cost: null,
}

describe('a recorded call', () => {
  it('comes back as it was made, whatever it holds', () => {
    for (const given of [
      call(),
      cloud({ tasks: tasksOf('t1', 't2'), evaluation: id('ev_1'), cost: 1234, failed: true, purpose: 'agent' }),
      call({ world: null, tasks: [], tick: id('tick_1'), batch: 3, repaired: 1, calls: 2, answer: '[{"text":"“”"}]' }),
    ]) {
      store.record(given)
      const { day: _day, ...row } = given
      expect(store.call(given.id)).toEqual(row)
      expect(tickStore(db).call(given.id)).toEqual(row)
    }
    expect(store.call(id('call_none'))).toBeUndefined()
  })

  it('is counted once, however often it is recorded', () => {
    const once = cloud({ cost: 5 })
    tickStore(db, store).recordCall(once)
    store.record(once)
    store.record({ ...once, promptTokens: 1000, cost: 1000 })
    expect(store.total(day, day)).toMatchObject({ calls: 1, promptTokens: 10, cost: 5 })
    expect(store.call(once.id)).toMatchObject({ promptTokens: 10, cost: 5 })
  })

  it('that failed counts like any other, and apart', () => {
    store.record(cloud({ failed: true, calls: 2, cost: 9 }))
    store.record(cloud({ cost: 1 }))
    expect(store.total(day, day)).toMatchObject({ calls: 3, failedCalls: 2, cost: 10 })
    expect(store.tasks(day, null, 9)).toMatchObject([{ key: 't1', calls: 3, failedCalls: 2, cost: 10 }])
  })

  it('leaves nothing behind where its transaction is undone', () => {
    const undone = db.transaction(() => {
      store.record(cloud({ id: id('call_undone'), cost: 5 }))
      throw new Error('no')
    })
    expect(undone).toThrow('no')
    expect(store.call(id('call_undone'))).toBeUndefined()
    expect([store.total(day, day), store.tasks(day, null, 9)]).toEqual([nothing, []])
  })
})

describe('sums', () => {
  it('tell local calls from those in the cloud', () => {
    store.record(call({ calls: 2 }))
    store.record(cloud())
    expect(store.total(day, day)).toEqual({
      calls: 3,
      localCalls: 2,
      cloudCalls: 1,
      failedCalls: 0,
      promptTokens: 20,
      completionTokens: 8,
      cost: null,
    })
  })

  it('are null where no price was known, and never nothing', () => {
    expect(store.total(day, day).cost).toBeNull()
    store.record(cloud())
    expect(store.total(day, day).cost).toBeNull()
    expect(store.by('model', day, day)).toMatchObject([{ key: 'openai large', cost: null }])
  })

  it('know what they know when a price came later, or went', () => {
    for (const cost of [null, 7, null]) store.record(cloud({ cost }))
    expect(store.total(day, day)).toMatchObject({ calls: 3, cost: 7 })
    expect(store.tasks(day, null, 9)).toMatchObject([{ cost: 7 }])
  })

  it('of a price of nothing are nothing, which is not the same as unknown', () => {
    store.record(cloud({ cost: 0 }))
    expect(store.total(day, day).cost).toBe(0)
  })

  it('are told apart by day, world, model and purpose, and cover the days that were asked for', () => {
    store.record(call({ day: '2026-11-28' }))
    store.record(call({ day: '2026-11-29', world: null, purpose: 'intent' }))
    store.record(cloud({ purpose: 'agent' }))
    store.record(call({ day: '2026-12-01' }))
    const keys = (by: 'day' | 'world' | 'model' | 'purpose') =>
      store.by(by, '2026-11-29', day).map(({ key, calls }) => [key, calls])
    expect(keys('day')).toEqual([
      ['2026-11-29', 1],
      ['2026-11-30', 1],
    ])
    expect(keys('world')).toEqual([
      ['', 1],
      ['memory', 1],
    ])
    expect(keys('model')).toEqual([
      ['ollama small', 1],
      ['openai large', 1],
    ])
    expect(keys('purpose')).toEqual([
      ['agent', 1],
      ['intent', 1],
    ])
    expect(store.days('2026-11-29', day)).toEqual(['2026-11-29', day])
  })

  it('of tasks come page by page, those made for no task first', () => {
    store.record(call({ tasks: tasksOf('a', 'b', 'c') }))
    store.record(call({ tasks: [] }))
    expect(store.tasks(day, null, 2).map(({ key }) => key)).toEqual(['', 'a'])
    expect(store.tasks(day, 'a', 2).map(({ key }) => key)).toEqual(['b', 'c'])
    expect(store.tasks(day, 'c', 2)).toEqual([])
  })

  it('of what was spent are those of cloud calls of that day', () => {
    expect(store.spent(day)).toEqual({ tokens: 0, cost: 0 })
    store.record(call({ promptTokens: 1000 }))
    store.record(cloud({ cost: 5 }))
    store.record(cloud())
    store.record(cloud({ cost: 5, day: '2026-11-29' }))
    expect(store.spent(day)).toEqual({ tokens: 28, cost: 5 })
  })

  it('of tasks add up to those of days, whatever was recorded', () => {
    const small = fc.integer({ min: 0, max: 50 })
    const any = fc.record({
      tasks: fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 5 }).map((names) => tasksOf(...names)),
      calls: fc.integer({ min: 1, max: 2 }),
      failed: fc.boolean(),
      promptTokens: small,
      completionTokens: small,
      cost: fc.option(small),
      route: fc.constantFrom('local' as const, 'cloud' as const),
      purpose: fc.constantFrom('judge' as const, 'agent' as const),
      world: fc.constantFrom(memory, null),
    })
    fc.assert(
      fc.property(fc.array(any, { maxLength: 8 }), (calls) => {
        db.exec('DELETE FROM usage; DELETE FROM usage_day')
        for (const one of calls) store.record(call(one))
        const { cost, ...total } = store.total(day, day)
        const tasks = store.tasks(day, null, 100)
        for (const [name, sum] of Object.entries(total)) {
          expect(tasks.reduce((all, one) => all + one[name as keyof typeof total], 0)).toBe(sum)
        }
        expect(tasks.reduce((all, one) => all + (one.cost ?? 0), 0)).toBe(cost ?? 0)
        expect(cost === null).toBe(calls.every((one) => one.cost === null))
      }),
      { numRuns: 60 },
    )
  })
})

describe('shares', () => {
  const whole = { calls: 1, failedCalls: 0, promptTokens: 10, completionTokens: 0, cost: null }

  it('are whole numbers, what does not divide being the first one’s', () => {
    const shares = sharesOf({ ...whole, tasks: tasksOf('a', 'b', 'c'), cost: 5 })
    expect(shares.map(({ task, calls, promptTokens, cost }) => [task, calls, promptTokens, cost])).toEqual([
      ['a', 1, 4, 3],
      ['b', 0, 3, 1],
      ['c', 0, 3, 1],
    ])
  })

  it('leave out tasks that are charged with nothing, but for the first', () => {
    const free = { ...whole, promptTokens: 0 }
    expect(sharesOf({ ...free, tasks: tasksOf('a', 'b') })).toMatchObject([{ task: 'a', calls: 1 }])
    expect(sharesOf({ ...free, calls: 0, tasks: tasksOf('a', 'b') })).toMatchObject([{ task: 'a', calls: 0 }])
  })

  it('are one where a task is named twice, and go to no task where none is named', () => {
    expect(sharesOf({ ...whole, tasks: tasksOf('a', 'a') })).toMatchObject([{ task: 'a', promptTokens: 10 }])
    expect(sharesOf({ ...whole, tasks: [] })).toMatchObject([{ task: '', promptTokens: 10 }])
  })
})

describe('the tally', () => {
  it('adds up by day and world', () => {
    const other = id<WorldId>('other')
    store.tally(day, memory, { avoided: 3 })
    store.tally(day, memory, { verdicts: 4, escalated: 1 })
    store.tally(day, other, { avoided: 10 })
    store.tally('2026-11-29', memory, { avoided: 100 })
    expect(store.tallied(day, day)).toEqual({ avoided: 13, verdicts: 4, escalated: 1 })
    expect(store.talliedBy('day', '2026-11-29', day)).toMatchObject([
      { key: '2026-11-29', avoided: 100 },
      { key: day, avoided: 13 },
    ])
    expect(store.talliedBy('world', day, day)).toMatchObject([
      { key: 'memory', avoided: 3 },
      { key: 'other', avoided: 10 },
    ])
  })

  it('has no row where there was nothing to count', () => {
    store.tally(day, memory, {})
    store.tally(day, memory, { avoided: 0, verdicts: 0 })
    expect(store.talliedBy('day', day, day)).toEqual([])
    expect(store.tallied(day, day)).toEqual({ avoided: 0, verdicts: 0, escalated: 0 })
  })
})
