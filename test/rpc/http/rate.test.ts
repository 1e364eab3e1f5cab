import { describe, expect, it } from 'vitest'
import { minute, second } from '../../../src/domain/clock.ts'
import { Keys } from '../../../src/rpc/http/keys.ts'
import { Rate } from '../../../src/rpc/http/rate.ts'
import { HandClock } from '../../support/clock.ts'

describe('a pace', () => {
  it('gives a burst, then so many a second, and never more than the burst after a rest', () => {
    const clock = new HandClock()
    const rate = new Rate(clock, { perSecond: 2, burst: 3 })
    const taken = () => [1, 2, 3, 4].map(() => rate.take('a'))
    expect(taken()).toEqual([true, true, true, false])
    expect(rate.wait('a')).toBe(500)
    clock.set(clock.now() + 500)
    expect(rate.wait('a')).toBe(0)
    expect(taken()).toEqual([true, false, false, false])
    clock.set(clock.now() + minute)
    expect(taken()).toEqual([true, true, true, false])
  })

  it('is kept for each peer by itself', () => {
    const rate = new Rate(new HandClock(), { perSecond: 1, burst: 1 })
    expect([rate.take('a'), rate.take('b'), rate.take('a')]).toEqual([true, true, false])
  })

  it('does not stop for a clock that is set back', () => {
    const clock = new HandClock()
    const rate = new Rate(clock, { perSecond: 1, burst: 1 })
    rate.take('a')
    clock.set(clock.now() - minute)
    expect(rate.take('a')).toBe(false)
    clock.set(clock.now() + second)
    expect(rate.take('a')).toBe(true)
  })

  it('forgets whom it has not heard of for longest when there are thousands', () => {
    const rate = new Rate(new HandClock(), { perSecond: 1, burst: 1 })
    for (let i = 0; i < 1001; i++) rate.take(`peer ${i}`)
    expect(rate.take('peer 1000')).toBe(false)
    expect(rate.take('peer 0')).toBe(true)
  })
})

describe('links', () => {
  it('that wait are twenty at most, the newest', () => {
    const keys = new Keys('t'.repeat(43), new HandClock())
    const links = Array.from({ length: 21 }, () => keys.newLink())
    expect(links.map((link) => keys.spendLink(link))).toEqual([false, ...Array.from({ length: 20 }, () => true)])
    expect(links.map((link) => keys.spendLink(link))).not.toContain(true)
  })
})
