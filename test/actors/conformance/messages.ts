import { describe, expect, it } from 'vitest'
import { a, b, c, type MakeTheatre, play } from './theatre.ts'

export const messages = (make: MakeTheatre) =>
  describe('a message', () => {
    it('moves its actor, the actors it tells and their journals together, and is durable when it is answered', async () => {
      const { host, counter, journal } = await play(make)
      await host.spawnAll('counter', null, [
        { id: a, input: {} },
        { id: b, input: {} },
      ])
      const event = { type: 'act', orders: [{ tell: b, event: { type: 'add', by: 2 } }] }
      expect(await host.dispatch({ to: a, event })).toBe('handled')
      expect(counter(b)).toMatchObject({ count: 2, version: 2 })
      expect(journal(b).map(({ sender, version, event }) => [sender, version, JSON.parse(event)])).toEqual([
        [null, 1, { type: 'xstate.init', input: {} }],
        [a, 2, { type: 'add', by: 2 }],
      ])
    })

    it('leaves nothing behind when one of the actors it reaches fails, but a dead letter', async () => {
      const { host, counter, actor, journal, deadLetters } = await play(make)
      await host.spawnAll('counter', null, [
        { id: a, input: {} },
        { id: b, input: {} },
      ])
      const orders = [{ tell: b, event: { type: 'add', by: 1 } }, { beget: c }, { tell: b, event: { type: 'break' } }]
      await expect(host.dispatch({ to: a, event: { type: 'act', orders } })).rejects.toThrow('a guard that throws')
      expect([counter(a).version, counter(b).version, counter(b).count]).toEqual([1, 1, 0])
      expect(actor(c)).toBeUndefined()
      expect(journal(b)).toHaveLength(1)
      expect(deadLetters()).toEqual([{ actor: a, reason: expect.stringContaining('a guard that throws') }])
      await host.dispatch({ to: b, event: { type: 'add', by: 5 } })
      expect(counter(b)).toMatchObject({ count: 5, version: 2 })
    })

    it('that fails harms none of those sent with it', async () => {
      const { host, counter, deadLetters } = await play(make)
      await host.spawnAll('counter', null, [
        { id: a, input: {} },
        { id: b, input: {} },
      ])
      const sent = await Promise.allSettled([
        host.dispatch({ to: a, event: { type: 'add', by: 1 } }),
        host.dispatch({ to: a, event: { type: 'break' } }),
        host.dispatch({ to: b, event: { type: 'add', by: 1 } }),
        host.dispatch({ to: a, event: { type: 'add', by: 1 } }),
      ])
      expect(sent.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
      expect([counter(a), counter(b)]).toMatchObject([
        { count: 2, version: 3 },
        { count: 1, version: 2 },
      ])
      expect(deadLetters().map(({ actor }) => actor)).toEqual([a])
    })

    it('is answered with what became of it', async () => {
      const { host, deadLetters, counter } = await play(make)
      await host.spawn('counter', a, {}, null)
      expect(await host.dispatch({ to: a, event: { type: 'leave' } })).toBe('ignored')
      expect(counter(a).version).toBe(1)
      expect(await host.dispatch({ to: a, event: { type: 'finish' } })).toBe('handled')
      expect(await host.dispatch({ to: a, event: { type: 'add', by: 1 } })).toBe('undeliverable')
      expect(await host.dispatch({ to: b, event: { type: 'add', by: 1 } })).toBe('undeliverable')
      expect(deadLetters()).toEqual([])
    })

    it('from one actor to another that is not there is kept as a dead letter, and what else it told stands', async () => {
      const { host, counter, deadLetters } = await play(make)
      await host.spawnAll('counter', null, [
        { id: a, input: {} },
        { id: b, input: {} },
      ])
      await host.dispatch({ to: b, event: { type: 'finish' } })
      const orders = [b, c, a].map((tell) => ({ tell, event: { type: 'add', by: 1 } }))
      await host.dispatch({ to: a, event: { type: 'act', orders } })
      expect(deadLetters().map(({ actor }) => actor)).toEqual([b, c])
      expect(counter(a).count).toBe(1)
    })

    it('counts once when it has an id, however often it is sent, at once or after a restart', async () => {
      const first = await play(make)
      const message = { id: 'm1', to: a, event: { type: 'add', by: 1 } }
      await first.host.spawn('counter', a, {}, null)
      const outcomes = await Promise.all([first.host.dispatch(message), first.host.dispatch(message)])
      expect(outcomes).toEqual(['handled', 'duplicate'])
      expect(await first.host.dispatch({ ...message, id: 'm2' })).toBe('handled')
      const second = await first.restarted()
      expect(await second.host.dispatch(message)).toBe('duplicate')
      expect(await second.host.dispatch({ to: a, event: message.event })).toBe('handled')
      expect(second.counter(a).count).toBe(3)
    })

    it('comes in the order in which it was sent, from outside and from one actor to another', async () => {
      const { host, journal } = await play(make)
      await host.spawnAll('counter', null, [
        { id: a, input: {} },
        { id: b, input: {} },
      ])
      const numbers = Array.from({ length: 40 }, (_, n) => n)
      await Promise.all(numbers.map((by) => host.dispatch({ to: a, event: { type: 'add', by } })))
      await host.dispatch({
        to: a,
        event: { type: 'act', orders: numbers.map((by) => ({ tell: b, event: { type: 'add', by } })) },
      })
      for (const id of [a, b]) {
        const heard = journal(id).map(({ event }) => JSON.parse(event) as { type: string; by?: number })
        expect(heard.filter(({ type }) => type === 'add').map(({ by }) => by)).toEqual(numbers)
      }
    })

    it('may be one of many that are answered together, of which the failed one is told and the others count', async () => {
      const { host, counter } = await play(make)
      await host.dispatchAll([])
      await host.spawnAll('counter', null, [
        { id: a, input: {} },
        { id: b, input: {} },
      ])
      await host.dispatch({ to: b, event: { type: 'finish' } })
      await host.dispatchAll([a, b, c, a].map((to) => ({ to, event: { type: 'add', by: 1 } })))
      expect(counter(a).count).toBe(2)
      const events = [{ type: 'break' }, { type: 'add', by: 1 }]
      await expect(host.dispatchAll(events.map((event) => ({ to: a, event })))).rejects.toThrow('a guard that throws')
      expect(counter(a).count).toBe(3)
    })
  })
