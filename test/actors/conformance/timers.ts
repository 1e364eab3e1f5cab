import { describe, expect, it } from 'vitest'
import { day } from '../../../src/domain/clock.ts'
import { a, b, type MakeTheatre, type Play, play } from './theatre.ts'

async function waiting(make: MakeTheatre, type: 'wait' | 'waitLong' = 'wait'): Promise<Play> {
  const first = await play(make)
  await first.host.spawn('counter', a, {}, null)
  await first.host.dispatch({ to: a, event: { type } })
  return first
}

export const timers = (make: MakeTheatre) =>
  describe('a delay', () => {
    it('is over at its time and not before, once', async () => {
      const { pass, counter } = await waiting(make)
      await pass(999)
      expect(counter(a).state).toBe('waiting')
      await pass(1)
      expect(counter(a)).toMatchObject({ state: 'idle', last: 'short', version: 3 })
      await pass(61 * day)
      expect(counter(a).version).toBe(3)
    })

    it('is over in its own time, also when another one is over shortly before', async () => {
      const { host, pass, counter } = await waiting(make)
      await pass(500)
      await host.spawn('counter', b, {}, null)
      await host.dispatch({ to: b, event: { type: 'wait' } })
      await pass(500)
      expect([counter(a).state, counter(b).state]).toEqual(['idle', 'waiting'])
      await pass(500)
      expect(counter(b).last).toBe('short')
    })

    it('keeps the time it had left when the process was replaced, in order or killed', async () => {
      const first = await waiting(make)
      await first.pass(300)
      const second = await first.restarted({}, 300)
      await second.pass(399 - 200)
      const third = await second.killed({}, 200)
      expect(third.counter(a).state).toBe('waiting')
      await third.pass(1)
      expect(third.counter(a)).toMatchObject({ state: 'idle', last: 'short', version: 3 })
    })

    it('that was over while no process ran is over with the next start', async () => {
      const first = await waiting(make)
      const second = await first.killed({}, 5000)
      await second.pass(0)
      expect(second.counter(a)).toMatchObject({ state: 'idle', last: 'short', version: 3 })
    })

    it('may be longer than 32 bits of milliseconds', async () => {
      const { pass, counter } = await waiting(make, 'waitLong')
      await pass(59 * day)
      expect(counter(a).state).toBe('waitingLong')
      await pass(day)
      expect(counter(a)).toMatchObject({ state: 'idle', last: 'long' })
    })

    it('is called off when its state is left', async () => {
      const { host, pass, counter } = await waiting(make)
      await host.dispatch({ to: a, event: { type: 'leave' } })
      await pass(2000)
      expect(counter(a)).toMatchObject({ state: 'idle', last: '', version: 3 })
    })

    it('begins anew when its state is entered again', async () => {
      const { host, pass, counter } = await waiting(make)
      await pass(900)
      await host.dispatch({ to: a, event: { type: 'leave' } })
      await host.dispatch({ to: a, event: { type: 'wait' } })
      await pass(900)
      expect(counter(a).state).toBe('waiting')
      await pass(100)
      expect(counter(a).last).toBe('short')
    })

    it('of a former visit ends no later one, though it was over before that one began', async () => {
      const { host, clock, pass, idle, counter } = await waiting(make)
      const sent = host.dispatchAll([
        { to: a, event: { type: 'leave' } },
        { to: a, event: { type: 'wait' } },
      ])
      clock.set(1000)
      await sent
      await idle()
      expect(counter(a)).toMatchObject({ state: 'waiting', version: 4 })
      await pass(1000)
      expect(counter(a)).toMatchObject({ state: 'idle', last: 'short' })
    })

    it('is not over when one that was over at the same moment has called it off', async () => {
      const { pass, counter, journal, deadLetters } = await waiting(make)
      await pass(61 * day)
      expect(counter(a)).toMatchObject({ state: 'idle', last: 'short' })
      expect(journal(a)).toHaveLength(3)
      expect(deadLetters()).toEqual([])
    })

    it('is over even when the actor that waits for it has ended, without harm', async () => {
      const { host, pass, counter, deadLetters } = await waiting(make)
      await host.dispatch({ to: a, event: { type: 'finish' } })
      await pass(61 * day)
      expect(counter(a)).toMatchObject({ state: 'finished', version: 3 })
      expect(deadLetters()).toEqual([])
    })
  })
