import { getEventListeners } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { hour } from '../../src/domain/clock.ts'
import { Fault } from '../../src/domain/errors.ts'
import { type AnswerGuard, type AnswerLimits, answerGuard } from '../../src/models/answer-guard.ts'
import { HandClock } from '../support/clock.ts'

const guards: AnswerGuard[] = []
afterEach(() => {
  for (const guard of guards.splice(0)) guard[Symbol.dispose]()
})

const guarded = (limits: Partial<AnswerLimits> = {}) => {
  const clock = new HandClock()
  const caller = new AbortController()
  const guard = answerGuard({
    clock,
    signal: caller.signal,
    firstMs: 60_000,
    idleMs: 10_000,
    totalMs: 300_000,
    maxChars: 100_000,
    ...limits,
  })
  guards.push(guard)
  const pass = (ms: number) => clock.advance(ms, async () => {})
  return { clock, caller, guard, pass, fault: () => guard.fault(new Error('The connection was closed')) }
}

describe('an answer guard', () => {
  it('lets an answer that keeps coming go on to its end', async () => {
    const { guard, pass, clock } = guarded()
    await pass(59_000)
    for (let piece = 0; piece < 24; piece++) {
      guard.heard(`piece ${piece} `)
      await pass(9_000)
    }
    expect(guard.signal.aborted).toBe(false)
    guard[Symbol.dispose]()
    expect(clock.nextWakeAt).toBeNull()
  })

  it('gives an answer up that does not begin, and says so', async () => {
    const { guard, pass, fault } = guarded()
    await pass(59_999)
    expect(guard.signal.aborted).toBe(false)
    await pass(1)
    expect(guard.signal.aborted).toBe(true)
    expect(fault()).toMatchObject({ code: 'model/timeout', message: expect.stringContaining('did not begin') })
    expect(fault().message).toContain('60 seconds')
  })

  it('takes a cold start for no silence', async () => {
    const { guard, pass } = guarded({ firstMs: 250_000, idleMs: 1_000 })
    await pass(240_000)
    guard.heard('At last')
    expect(guard.signal.aborted).toBe(false)
  })

  it('gives an answer up that falls silent, counted from its last piece', async () => {
    const { guard, pass, fault } = guarded()
    guard.heard('It is')
    await pass(9_000)
    guard.heard('')
    await pass(9_999)
    expect(guard.signal.aborted).toBe(false)
    await pass(1)
    expect(fault()).toMatchObject({ code: 'model/timeout', message: expect.stringContaining('fell silent') })
  })

  it('gives an answer up that takes too long in all', async () => {
    const { guard, pass, fault } = guarded({ totalMs: 30_000 })
    for (let piece = 0; piece < 6; piece++) {
      guard.heard('more ')
      await pass(5_000)
    }
    expect(fault()).toMatchObject({ code: 'model/timeout', message: expect.stringContaining('took longer than 30') })
  })

  it('is not kept waiting by a clock that is set back', () => {
    let now = 10 * hour
    const wakes: Array<{ at: number; wake: () => void }> = []
    const clock = {
      now: () => now,
      wakeAt(at: number, wake: () => void) {
        wakes.push({ at, wake })
        return () => {}
      },
    }
    const { guard, fault } = guarded({ clock })
    guard.heard('It is')
    guard.heard(' four')
    now -= 2 * hour
    wakes.at(-1)?.wake()
    expect(guard.signal.aborted).toBe(false)
    expect(wakes.at(-1)?.at).toBe(now + 10_000)
    wakes.at(-1)?.wake()
    expect(fault()).toMatchObject({ code: 'model/timeout', message: expect.stringContaining('fell silent') })
  })

  it('gives an answer up that grows too long', () => {
    const { guard, fault } = guarded({ maxChars: 20 })
    guard.heard('twenty characters...')
    expect(guard.signal.aborted).toBe(false)
    guard.heard('.')
    expect(fault()).toMatchObject({ code: 'model/runaway', message: expect.stringContaining('20 characters') })
  })

  it.each([
    ['white space without an end', ' \n\t'],
    ['one character', '-'],
    ['a word', 'no '],
    ['a sentence', 'I will now look at the next mail in the inbox. '],
    ['as long a piece as is noticed', `${'abcdefghij'.repeat(19)}1234567890`],
  ])('gives an answer up that is %s over and over, however it is cut', (_, unit) => {
    for (const size of [1, 3, 64, 100_000]) {
      const { guard, fault } = guarded()
      guard.heard('{"evaluations": [')
      const text = unit.repeat(250)
      for (let at = 0; at < text.length && !guard.signal.aborted; at += size) guard.heard(text.slice(at, at + size))
      expect(fault()).toMatchObject({ code: 'model/runaway' })
    }
  })

  it('notices a piece that is repeated 20 times, and not one repeated 19 times', () => {
    const unit = 'The task is not due yet; I look at the next one. '
    const few = guarded()
    few.guard.heard(`Well: ${unit.repeat(19)}`)
    expect(few.guard.signal.aborted).toBe(false)
    const many = guarded()
    many.guard.heard(`Well: ${unit.repeat(20)}`)
    expect(many.guard.signal.aborted).toBe(true)
  })

  it.each([
    ['a table with rules', `| task | due |\n|${'-'.repeat(80)}|${'-'.repeat(80)}|\n`],
    ['a list of numbers', JSON.stringify(Array.from({ length: 900 }, (_, index) => index))],
    ['deep indentation', JSON.stringify({ a: { b: { c: [{ d: { e: [1, 2, 3] } }] } } }, null, 8)],
    [
      'many items of the same form',
      Array.from({ length: 40 }, (_, at) => `{"task_id":"t${at}","decision":"skip"},`).join(''),
    ],
  ])('takes %s for no runaway', (_, text) => {
    const { guard } = guarded()
    guard.heard(text)
    expect(guard.signal.aborted).toBe(false)
  })

  it('follows the caller, whose reason it hands on', () => {
    const { caller, guard, fault, clock } = guarded()
    const reason = new Fault('tick/cancelled', 'The tick was cancelled.')
    caller.abort(reason)
    expect(guard.signal.aborted).toBe(true)
    expect(fault()).toBe(reason)
    expect(clock.nextWakeAt).toBeNull()
  })

  it('is aborted from the beginning when the caller was', () => {
    const reason = new Fault('tick/cancelled', 'The tick was cancelled.')
    const { guard, fault, clock } = guarded({ signal: AbortSignal.abort(reason) })
    expect(guard.signal.reason).toBe(reason)
    expect(fault()).toBe(reason)
    expect(clock.nextWakeAt).toBeNull()
  })

  it('makes a Fault of a caller who gives no reason, and of any error', () => {
    const { caller, fault } = guarded()
    expect(fault()).toMatchObject({
      code: 'model/bad-answer',
      message: expect.stringContaining('connection was closed'),
    })
    caller.abort()
    expect(fault()).toMatchObject({ name: 'Fault', code: 'work/dropped' })
  })

  it('hands other faults on as they are', () => {
    const missing = new Fault('model/missing', 'There is no such model.')
    expect(guarded().guard.fault(missing)).toBe(missing)
  })

  it('stays with its first reason', async () => {
    const { guard, pass, caller, fault } = guarded()
    guard.heard(' '.repeat(300))
    await pass(400_000)
    caller.abort(new Fault('tick/cancelled', 'The tick was cancelled.'))
    guard.heard('x'.repeat(200_000))
    expect(fault().code).toBe('model/runaway')
  })

  it('does nothing more once it is disposed of', async () => {
    const { guard, pass, caller } = guarded()
    guard[Symbol.dispose]()
    expect(getEventListeners(caller.signal, 'abort')).toEqual([])
    await pass(400_000)
    caller.abort()
    expect(guard.signal.aborted).toBe(false)
  })

  it('reads a long answer in little time', () => {
    const { guard } = guarded({ maxChars: 1_000_000 })
    const text = Array.from({ length: 40_000 }, (_, at) => at.toString(36))
      .join(' ')
      .slice(0, 200_000)
    const began = performance.now()
    for (let at = 0; at < text.length; at += 5) guard.heard(text.slice(at, at + 5))
    expect(performance.now() - began).toBeLessThan(2_000)
    expect(guard.signal.aborted).toBe(false)
  })
})
