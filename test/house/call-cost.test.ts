import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/domain/errors.ts'
import { allowance, amountOf, costOf, millionths, usageOf, usageOfFailed } from '../../src/house/call-cost.ts'

const tokens = (promptTokens: number, completionTokens: number) => ({ promptTokens, completionTokens })
const prices = { input_price: 2.5, output_price: 10 }

describe('what a call costs', () => {
  it.each([
    [tokens(1000, 100), prices, 3500],
    [tokens(1_000_000, 0), { input_price: 0.15, output_price: 0.6 }, 150_000],
    [tokens(3, 0), { input_price: 0.1, output_price: 0 }, 1],
    [tokens(30, 0), { input_price: 0.1, output_price: 0.1 }, 3],
    [tokens(100, 0), { input_price: 0.07, output_price: 0 }, 7],
    [tokens(0, 0), prices, 0],
    [tokens(500, 500), { input_price: 0, output_price: 0 }, 0],
  ])('is in whole millionths, rounded up: %j at %j is %d', (usage, at, cost) => {
    expect(costOf(usage, at)).toBe(cost)
  })

  it.each([[undefined], [{}], [{ input_price: 1 }], [{ output_price: 1 }]])(
    'is not known where a price is missing: %j',
    (given) => {
      expect(costOf(tokens(10, 10), given)).toBeNull()
      expect(amountOf(tokens(10, 10), given)).toEqual({ tokens: 20, cost: 0 })
    },
  )

  it('is a whole number whatever a server says of tokens', () => {
    const odd = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -1, 1e300))
    fc.assert(
      fc.property(odd, odd, fc.double({ min: 0, max: 1e6, noNaN: true }), (prompt, completion, price) => {
        const usage = usageOf(tokens(prompt, completion))
        const cost = costOf(tokens(prompt, completion), { input_price: price, output_price: price })
        for (const amount of [usage.promptTokens, usage.completionTokens, cost]) {
          expect(Number.isSafeInteger(amount)).toBe(true)
          expect(amount).toBeGreaterThanOrEqual(0)
        }
      }),
    )
  })

  it('counts money that users write in whole millionths', () => {
    expect([millionths(0.1), millionths(0.29), millionths(1_000_000)]).toEqual([100_000, 290_000, 1e12])
  })
})

describe('an allowance', () => {
  it('has nothing left once more than all is used', () => {
    expect([allowance(10, 4), allowance(10, 12)]).toEqual([
      { limit: 10, used: 4, left: 6 },
      { limit: 10, used: 12, left: 0 },
    ])
  })
})

describe('a call that failed', () => {
  it.each(['model/unreachable', 'model/rate-limited', 'model/quota', 'model/busy'] as const)(
    'with %s was never read by a model',
    (code) => {
      expect(usageOfFailed(new Fault(code, ''), 100)).toEqual(tokens(0, 0))
    },
  )

  it.each([
    ['a timeout', new Fault('model/timeout', '')],
    ['being broken off', new Fault('work/dropped', '')],
    ['an error nobody foresaw', new Error('odd')],
    ['nothing at all', undefined],
  ])('with %s may have been, so its prompt counts', (_, error) => {
    expect(usageOfFailed(error, 100.2)).toEqual(tokens(101, 0))
  })

  it('used what its error says it used', () => {
    expect(usageOfFailed(new Fault('model/busy', '', { usage: tokens(7, 3) }), 100)).toEqual(tokens(7, 3))
    expect(usageOfFailed(new Fault('model/timeout', '', { usage: { promptTokens: '7' } }), 100)).toEqual(tokens(100, 0))
    expect(usageOfFailed(new Fault('model/timeout', '', { usage: null }), 100)).toEqual(tokens(100, 0))
  })
})
