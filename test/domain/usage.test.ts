import { describe, expect, it } from 'vitest'
import { moneyText } from '../../src/domain/money.ts'

describe('money', () => {
  it.each([
    [0, '0.00'],
    [30_000, '0.03'],
    [480_000, '0.48'],
    [1_000_000, '1.00'],
    [12_345_678, '12.35'],
    [1_500_000_000_000, '1500000.00'],
  ])('of %d millionths has two places: %s', (millionths, text) => {
    expect(moneyText(millionths)).toBe(text)
  })

  it.each([
    [1, '0.000001'],
    [20, '0.00002'],
    [1_200, '0.0012'],
    [9_999, '0.009999'],
  ])('of %d millionths is never shown as nothing: %s', (millionths, text) => {
    expect(moneyText(millionths)).toBe(text)
  })
})
