import { describe, expect, it } from 'vitest'
import { a, b, type MakeTheatre, play } from './theatre.ts'

export const writes = (make: MakeTheatre) =>
  describe('a write', () => {
    it('is durable with all that it asks of actors, and gives back what it found', async () => {
      const { host, counter, keep, kept } = await play(make)
      await host.spawn('counter', a, {}, null)
      const found = await host.write((turn) => {
        keep('colour', 'green')
        turn.spawn(a, 'counter', b, {})
        turn.tell(a, b, { type: 'add', by: 2 })
        return turn.now
      })
      expect(found).toBe(0)
      expect([kept('colour'), counter(b).count]).toEqual(['green', 2])
    })

    it('that throws is undone by itself, with what it told actors, and whoever asked gets the error', async () => {
      const { host, counter, keep, kept, actor } = await play(make)
      await host.spawn('counter', a, {}, null)
      const sent = await Promise.allSettled([
        host.dispatch({ to: a, event: { type: 'add', by: 1 } }),
        host.write((turn) => {
          keep('colour', 'red')
          turn.spawn(a, 'counter', b, {})
          turn.tell(a, a, { type: 'add', by: 100 })
          throw new Error('second thoughts')
        }),
        host.write(() => keep('shape', 'round')),
        host.dispatch({ to: a, event: { type: 'add', by: 1 } }),
      ])
      expect(sent.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
      expect(sent[1]).toMatchObject({ reason: { message: 'second thoughts' } })
      expect([kept('colour'), kept('shape')]).toEqual([undefined, 'round'])
      expect([counter(a).count, actor(b)]).toEqual([2, undefined])
    })

    it('sees what was asked for before it, and is seen by what comes after', async () => {
      const { host, counter, keep, kept } = await play(make)
      await host.spawn('counter', a, {}, null)
      const [, between] = await Promise.all([
        host.write(() => keep('step', 'one')),
        host.write(() => {
          const before = kept('step')
          keep('step', 'two')
          return before
        }),
        host.dispatch({ to: a, event: { type: 'add', by: 1 } }),
      ])
      expect([between, kept('step'), counter(a).count]).toEqual(['one', 'two', 1])
    })
  })
