import { describe, expect, it } from 'vitest'
import { hour, minute } from '../../../src/domain/clock.ts'
import { misbehaving, refusal } from '../../support/openai-replies.ts'
import { faultOf, talk } from './talk.ts'

const limited = (headers: Record<string, string> = {}, message = 'Rate limit reached') => refusal(429, message, headers)

describe('a rate limit', () => {
  it('is waited for as long as the server asks', async () => {
    await using it = await talk()
    it.server.reply((_body, turn) => (turn === 0 ? limited({ 'retry-after': '7' }) : { text: 'Yes.' }))
    const reply = it.ask()
    expect(await it.nextWait()).toBe(7000)
    expect((await reply).text).toBe('Yes.')
    expect(it.server.chats()).toHaveLength(2)
  })

  it('is waited for at most three times, then told with what the server asked for last', async () => {
    await using it = await talk()
    it.server.reply((_body, turn) => limited({ 'retry-after': String(turn + 1) }))
    const fault = it.fault()
    expect([await it.nextWait(), await it.nextWait(), await it.nextWait()]).toEqual([1000, 2000, 3000])
    expect(await fault).toMatchObject({ code: 'model/rate-limited', data: { retryAfterMs: 4000 } })
    expect(it.server.chats()).toHaveLength(4)
  })

  it('is waited for a second, then two, then four, where the server does not say, more or less a quarter', async () => {
    for (const [random, waits] of [
      [0, [750, 1500, 3000]],
      [0.5, [1000, 2000, 4000]],
      [1, [1250, 2500, 5000]],
    ] as const) {
      await using it = await talk({ random: () => random })
      it.server.reply(() => limited())
      const fault = it.fault()
      expect([await it.nextWait(), await it.nextWait(), await it.nextWait()]).toEqual(waits)
      expect((await fault).code).toBe('model/rate-limited')
      expect((await fault).data).not.toHaveProperty('retryAfterMs')
    }
  })

  it('of an hour is not waited for at all', async () => {
    await using it = await talk()
    it.server.reply(() => limited({ 'retry-after': '3600' }))
    const fault = await it.fault()
    expect(fault).toMatchObject({ code: 'model/rate-limited', data: { retryAfterMs: hour } })
    expect(fault.message).toContain('60 minutes')
    expect(it.server.chats()).toHaveLength(1)
  })

  it('that ends after the call has to be over is not waited for', async () => {
    await using it = await talk({ timeoutMs: minute / 2 })
    it.server.reply(() => limited({ 'retry-after': '30' }))
    expect((await it.fault()).data.retryAfterMs).toBe(minute / 2)
  })

  it('stops being waited for as soon as nobody wants the answer', async () => {
    await using it = await talk()
    it.server.reply(() => limited({ 'retry-after': '50' }))
    const abort = new AbortController()
    const reply = faultOf(it.ask({}, abort.signal))
    const request = await it.server.next()
    expect(await request.closed).toBe('answered')
    while (it.clock.nextWakeAt !== it.clock.now() + 50_000) await new Promise(setImmediate)
    abort.abort()
    expect((await reply).code).toBe('work/dropped')
    expect(it.clock.nextWakeAt).toBeNull()
    expect(it.server.chats()).toHaveLength(1)
  })

  it('inside an answer that was said to be fine counts as one', async () => {
    await using it = await talk()
    it.server.reply((_body, turn) =>
      turn === 0 ? { json: { error: { code: 429, message: 'Slow down, try again in 3s' } } } : { text: 'Yes.' },
    )
    const reply = it.ask()
    expect(await it.nextWait()).toBe(3000)
    expect((await reply).text).toBe('Yes.')
  })
})

describe('a server that cannot answer just now', () => {
  it.each([500, 502, 503, 504, 529])('is asked twice more after HTTP %i', async (status) => {
    await using it = await talk()
    it.server.reply((_body, turn) => (turn < 2 ? refusal(status, 'Overloaded') : { text: 'Yes.' }))
    const reply = it.ask()
    expect([await it.nextWait(), await it.nextWait()]).toEqual([1000, 2000])
    expect((await reply).text).toBe('Yes.')

    it.server.reply(() => refusal(status, 'Overloaded'))
    const fault = it.fault()
    await it.nextWait()
    await it.nextWait()
    expect(await fault).toMatchObject({ code: 'model/busy', data: { status } })
    expect((await fault).message).toContain('Overloaded')
    expect(it.server.chats()).toHaveLength(6)
  })

  it('is waited for as long as it asks, if that is not too long', async () => {
    await using it = await talk()
    it.server.reply((_body, turn) =>
      turn === 0 ? refusal(503, 'Loading model', { 'retry-after': '20' }) : refusal(503, 'x', { 'retry-after': '61' }),
    )
    const fault = it.fault()
    expect(await it.nextWait()).toBe(20_000)
    expect(await fault).toMatchObject({ code: 'model/busy', data: { retryAfterMs: 61_000 } })
  })

  it('is asked again when its stream breaks before a word came, not when it breaks later', async () => {
    await using it = await talk()
    it.server.reply((_body, turn) => (turn < 2 ? misbehaving.breaksBeforeText : { text: 'Yes.' }))
    const reply = it.ask()
    await it.nextWait()
    await it.nextWait()
    expect((await reply).text).toBe('Yes.')

    it.server.reply(() => misbehaving.breaksInTheMiddle)
    expect((await it.fault()).code).toBe('model/bad-answer')
    expect(it.server.chats()).toHaveLength(4)
  })
})
