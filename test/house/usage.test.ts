import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hour, minute } from '../../src/domain/clock.ts'
import { Fault } from '../../src/domain/errors.ts'
import { id, type WorldId } from '../../src/domain/ids.ts'
import { defaultSettings, Settings } from '../../src/domain/settings.ts'
import type { CallAhead, CallMade } from '../../src/domain/usage.ts'
import { UsageBook } from '../../src/house/usage.ts'
import { openStore } from '../../src/store/open.ts'
import { usageStore } from '../../src/store/usage.ts'
import { HandClock } from '../support/clock.ts'

const large = { model: 'large', base_url: 'https://models.example.org/v1' }
const memory = id<WorldId>('memory')

/** Accounts over a store of their own; the cloud model costs 1 for a million tokens, in and out. */
function accounts(cloud: object | null = {}, start = '2026-11-30T12:00:00+01:00', zone = 'Europe/Berlin') {
  const db = openStore({ file: ':memory:', synchronous: 'normal' })
  onTestFinished(() => void db.close())
  const clock = new HandClock(start)
  const store = usageStore(db)
  const all = (more: object) =>
    Settings.parse({ models: { cloud: { ...large, input_price: 1, output_price: 1, ...more } } })
  const set = { settings: cloud === null ? defaultSettings() : all(cloud), zone }
  const open = () => new UsageBook({ store, clock, settings: () => set.settings, timezone: () => set.zone })
  const book = open()
  let calls = 0
  const made = (given: Partial<CallMade> = {}): CallMade => ({
    id: id(`call_${calls++}`),
    tick: null,
    batch: null,
    world: memory,
    evaluation: null,
    tasks: [],
    provider: 'openai',
    model: 'large',
    purpose: 'agent',
    promptDigest: '',
    answer: '[]',
    repaired: 0,
    calls: 1,
    failed: false,
    promptTokens: 0,
    completionTokens: 0,
    durationMs: 0,
    at: clock.now(),
    ...given,
  })
  return {
    clock,
    store,
    book,
    set,
    /** What a later process makes of the same store. */
    again: open,
    change: (more: object) => {
      set.settings = all(more)
    },
    made,
    record: (given: Partial<CallMade> = {}) => store.record(book.counted(made(given))),
  }
}

const ahead = (promptTokens: number, maxTokens = 0): CallAhead => ({
  provider: 'openai',
  model: 'large',
  promptTokens,
  maxTokens,
})

const refusal = (ask: () => unknown): Fault => {
  try {
    ask()
  } catch (error) {
    if (error instanceof Fault) return error
  }
  throw new Error('It was not refused')
}

describe('a call that is over', () => {
  it('is counted on the day that it began, as the user’s calendar has it', () => {
    const { book, made, set } = accounts()
    const at = Date.parse('2026-11-30T23:59:59+01:00')
    expect(book.counted(made({ at })).day).toBe('2026-11-30')
    expect(book.counted(made({ at: at + 1000 })).day).toBe('2026-12-01')
    set.zone = 'America/Los_Angeles'
    expect(book.counted(made({ at: at + 1000 })).day).toBe('2026-11-30')
  })

  it('costs what the prices say, and nothing is known of what it costs where there are none', () => {
    const { book, made, change } = accounts()
    const usage = { promptTokens: 300, completionTokens: 200 }
    expect(book.counted(made(usage))).toMatchObject({ route: 'cloud', cost: 500 })
    expect(book.counted(made({ ...usage, provider: 'ollama' }))).toMatchObject({ route: 'local', cost: null })
    expect(book.counted(made({ ...usage, model: 'another' }))).toMatchObject({ route: 'local', cost: null })
    change({ output_price: undefined })
    expect(book.counted(made(usage))).toMatchObject({ route: 'cloud', cost: null })
    expect(accounts(null).book.counted(made(usage))).toMatchObject({ route: 'local', cost: null })
  })

  it('is of the route that it is said to be of, whatever its model is called', () => {
    const { book, made } = accounts()
    expect(book.counted(made({ promptTokens: 5, route: 'local' }))).toMatchObject({ route: 'local', cost: null })
    expect(book.counted(made({ promptTokens: 5, provider: 'x', route: 'cloud' }))).toMatchObject({ cost: 5 })
  })

  it('has whole numbers of tokens, whatever a server said', () => {
    const { book, made, store } = accounts()
    const odd = { promptTokens: 1.5, completionTokens: Number.NaN }
    expect(book.counted(made(odd))).toMatchObject({ promptTokens: 2, completionTokens: 0, cost: 2 })
    store.record(book.counted(made({ promptTokens: -3, completionTokens: Number.POSITIVE_INFINITY })))
    expect(store.total('2026-11-30', '2026-11-30')).toMatchObject({ promptTokens: 0, completionTokens: 1e9 })
  })
})

describe('the budget of a day', () => {
  it('refuses the call that would go beyond it, and says when cloud work goes on', () => {
    const { book, record } = accounts({ daily_budget: 0.5 })
    record({ promptTokens: 480_000 })
    book.admit(ahead(10_000, 10_000))[Symbol.dispose]()
    const fault = refusal(() => book.admit(ahead(10_000, 20_000)))
    expect(fault.code).toBe('model/budget')
    expect(fault.message).toBe(
      "Today's budget of 0.50 for the cloud model is used up: 0.48 is spent or set aside, and this call may come to 0.03. Cloud work goes on tomorrow at 00:00 local time, or raise models.cloud.daily_budget.",
    )
    expect(fault.data).toMatchObject({ until: Date.parse('2026-12-01T00:00:00+01:00'), setting: 'daily_budget' })
  })

  it('can be in tokens, of prompts and answers together', () => {
    const { book, record } = accounts({ input_price: undefined, daily_tokens: 1000 })
    record({ promptTokens: 500, completionTokens: 300 })
    record({ provider: 'ollama', promptTokens: 100_000 })
    book.admit(ahead(100, 100))[Symbol.dispose]()
    expect(refusal(() => book.admit(ahead(101, 100)))).toMatchObject({
      code: 'model/budget',
      message: expect.stringContaining("Today's budget of 1,000 tokens for the cloud model is used up: 800 tokens is"),
      data: { setting: 'daily_tokens', limit: 1000, taken: 800, most: 201 },
    })
  })

  it('is no limit where none is set, and never one for the local model', () => {
    const { book } = accounts()
    book.admit(ahead(1e9, 1e9))
    const strict = accounts({ daily_budget: 0, daily_tokens: 0 })
    strict.book.admit({ ...ahead(1e9), provider: 'ollama' })
    strict.book.admit({ ...ahead(1e9), route: 'local' })
    accounts(null).book.admit(ahead(1e9))
  })

  it('that no day would be enough for is another matter: waiting helps nobody', () => {
    const { book } = accounts({ daily_budget: 0.01 })
    expect(refusal(() => book.admit(ahead(20_000)))).toMatchObject({
      code: 'model/budget-too-small',
      message:
        "This call may come to 0.02, and a whole day's budget for the cloud model is 0.01. Raise models.cloud.daily_budget.",
    })
    expect(book.today().budget?.refusedUntil).toBeNull()
  })

  it('in money is no budget where what tokens cost is not known: nothing is sent', () => {
    const { book, change } = accounts({ daily_budget: 5, output_price: undefined })
    expect(refusal(() => book.admit(ahead(1)))).toMatchObject({ code: 'model/no-price' })
    change({ daily_budget: 5 })
    book.admit(ahead(1))
  })

  it('cannot be overdrawn by calls that are made at once', () => {
    const { book } = accounts({ daily_tokens: 1000 })
    const first = book.admit(ahead(300, 300))
    expect(refusal(() => book.admit(ahead(300, 300))).code).toBe('model/budget')
    using second = book.admit(ahead(200, 200))
    first.spent({ promptTokens: 300, completionTokens: 10 })
    using third = book.admit(ahead(290))
    expect(refusal(() => book.admit(ahead(1))).code).toBe('model/budget')
    expect([second, third]).toHaveLength(2)
  })

  it('has back what was set aside and not spent, once', () => {
    const { book } = accounts({ daily_tokens: 100 })
    const given = book.admit(ahead(100))
    given[Symbol.dispose]()
    given[Symbol.dispose]()
    const used = book.admit(ahead(100))
    used.spent({ promptTokens: 40, completionTokens: 0 })
    used[Symbol.dispose]()
    expect(refusal(() => book.admit(ahead(61))).data).toMatchObject({ taken: 40 })
    book.admit(ahead(60))
  })

  it('counts a call from its end, though its row comes later or never, and not twice when it comes', () => {
    const { book, record } = accounts({ daily_tokens: 100 })
    book.admit(ahead(50)).spent({ promptTokens: 50, completionTokens: 0 })
    expect(book.today().budget?.tokens).toEqual({ limit: 100, used: 50, left: 50 })
    expect(refusal(() => book.admit(ahead(51))).code).toBe('model/budget')
    record({ promptTokens: 50 })
    expect(book.today().budget?.tokens).toEqual({ limit: 100, used: 50, left: 50 })
    book.admit(ahead(50))
  })

  it('knows what an earlier process has spent', () => {
    const { record, again } = accounts({ daily_tokens: 100 })
    record({ promptTokens: 70 })
    expect(refusal(() => again().admit(ahead(31))).data).toMatchObject({ taken: 70 })
  })

  it('is as large as it is set now', () => {
    const { book, record, change } = accounts({ daily_budget: 0.1 })
    record({ promptTokens: 100_000 })
    expect(refusal(() => book.admit(ahead(10))).code).toBe('model/budget')
    expect(book.today().budget?.refusedUntil).toBe(Date.parse('2026-12-01T00:00:00+01:00'))
    change({ daily_budget: 0.2 })
    book.admit(ahead(10))
    expect(book.today().budget?.refusedUntil).toBeNull()
  })

  it('stays within itself, whatever is asked for in whatever order', () => {
    const step = fc.record({
      most: fc.integer({ min: 0, max: 400 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      ends: fc.constantFrom('spent', 'given back', 'still running'),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const { book } = accounts({ daily_tokens: 1000 })
        let used = 0
        for (const { most, share, ends } of steps) {
          try {
            const admission = book.admit(ahead(most))
            const tokens = Math.floor(most * share)
            if (ends === 'spent') admission.spent({ promptTokens: tokens, completionTokens: 0 })
            if (ends === 'given back') admission[Symbol.dispose]()
            used += ends === 'spent' ? tokens : ends === 'given back' ? 0 : most
          } catch (error) {
            expect(error).toMatchObject({ code: 'model/budget' })
            expect(used + most).toBeGreaterThan(1000)
          }
          expect(used).toBeLessThanOrEqual(1000)
        }
      }),
      { numRuns: 30 },
    )
  })
})

describe('a new day', () => {
  it('begins at local midnight, with all of its budget', () => {
    const { book, clock, record } = accounts({ daily_tokens: 100 })
    record({ promptTokens: 100 })
    const until = Number(refusal(() => book.admit(ahead(1))).data.until)
    clock.set(until - 1)
    expect(refusal(() => book.admit(ahead(1))).data).toMatchObject({ until })
    clock.set(until)
    expect(book.today()).toMatchObject({ day: '2026-12-01', calls: 0, budget: { refusedUntil: null } })
    book.admit(ahead(100))
  })

  it('owes nothing for a call that was begun the day before', () => {
    const { book, clock } = accounts({ daily_tokens: 100 }, '2026-11-30T23:59:59+01:00')
    const late = book.admit(ahead(100))
    clock.set(clock.now() + 2000)
    book.admit(ahead(100))[Symbol.dispose]()
    late.spent({ promptTokens: 100, completionTokens: 0 })
    book.admit(ahead(100))
  })

  it.each([
    ['after 23 hours', '2026-03-29T00:30:00+01:00', 23],
    ['after 25 hours', '2026-10-25T00:30:00+02:00', 25],
  ])('comes %s where clocks change', (_, start, hours) => {
    const { book, clock, record } = accounts({ daily_tokens: 10 }, start)
    record({ promptTokens: 10 })
    const until = Number(refusal(() => book.admit(ahead(1))).data.until)
    expect(until - clock.now()).toBe(hours * hour - 30 * minute)
    clock.set(until - minute)
    expect(refusal(() => book.admit(ahead(1))).code).toBe('model/budget')
    clock.set(until)
    book.admit(ahead(10))
  })

  it('says the time at which it begins where clocks leave midnight out', () => {
    const { book, record } = accounts({ daily_tokens: 10 }, '2026-04-23T12:00:00Z', 'Africa/Cairo')
    record({ promptTokens: 10 })
    expect(refusal(() => book.admit(ahead(1))).message).toContain('tomorrow at 01:00 local time')
  })

  it('that a clock set back takes back has been spent as far as it was', () => {
    const { book, clock, record } = accounts({ daily_tokens: 100 }, '2026-12-01T00:10:00+01:00')
    record({ promptTokens: 60 })
    book.admit(ahead(30)).spent({ promptTokens: 30, completionTokens: 0 })
    clock.set(Date.parse('2026-11-30T23:50:00+01:00'))
    expect(book.today()).toMatchObject({ day: '2026-11-30', budget: { tokens: { used: 0 } } })
    book.admit(ahead(100)).spent({ promptTokens: 100, completionTokens: 0 })
    expect(refusal(() => book.admit(ahead(1))).data).toMatchObject({ until: Date.parse('2026-12-01T00:00:00+01:00') })
    clock.set(Date.parse('2026-12-01T00:00:00+01:00'))
    expect(refusal(() => book.admit(ahead(11))).data).toMatchObject({ taken: 90 })
    book.admit(ahead(10))
  })

  it('comes again and again, years in one process included', () => {
    const { book, clock } = accounts({ daily_tokens: 100 })
    for (let days = 0; days < 1000; days++) {
      book.admit(ahead(100)).spent({ promptTokens: 100, completionTokens: 0 })
      const { until } = refusal(() => book.admit(ahead(1))).data
      clock.set(Number(until))
    }
  })
})

describe('today', () => {
  it('is what was asked, spared and told to escalate, and what is left', () => {
    const { book, record, store } = accounts({ daily_budget: 1, daily_tokens: 1000 })
    record({ promptTokens: 100, failed: true })
    record({ provider: 'ollama', promptTokens: 50, calls: 2 })
    store.tally('2026-11-30', memory, { avoided: 7, verdicts: 3, escalated: 1 })
    store.tally('2026-11-24', memory, { avoided: 70, verdicts: 10, escalated: 4 })
    store.tally('2026-11-23', memory, { avoided: 700, verdicts: 100, escalated: 100 })
    expect(book.today()).toEqual({
      day: '2026-11-30',
      calls: 3,
      localCalls: 2,
      cloudCalls: 1,
      failedCalls: 1,
      promptTokens: 150,
      completionTokens: 0,
      cost: 100,
      callsAvoided: 7,
      escalations: { verdicts: 13, escalated: 5 },
      budget: {
        money: { limit: 1_000_000, used: 100, left: 999_900 },
        tokens: { limit: 1000, used: 100, left: 900 },
        refusedUntil: null,
      },
    })
  })

  it('has no budget without a cloud model, and no limits where none are set', () => {
    expect(accounts(null).book.today().budget).toBeNull()
    expect(accounts().book.today().budget).toEqual({ money: null, tokens: null, refusedUntil: null })
  })
})
