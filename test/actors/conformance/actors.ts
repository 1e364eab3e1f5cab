import { describe, expect, it } from 'vitest'
import { a, b, c, type MakeTheatre, play } from './theatre.ts'

export const actors = (make: MakeTheatre) =>
  describe('an actor', () => {
    it('is made once for each id, however often it is asked for and also when it has ended', async () => {
      const { host, actor, journal } = await play(make)
      await Promise.all([host.spawn('counter', a, {}, null), host.spawn('counter', a, {}, null)])
      await host.dispatch({ to: a, event: { type: 'finish' } })
      await host.spawn('counter', a, {}, null)
      expect(actor(a)).toMatchObject({ status: 'done', state: 'finished', version: 2 })
      expect(journal(a)).toHaveLength(2)
    })

    it('knows whose child it is, whether it was made from outside or by another', async () => {
      const { host, actor, journal } = await play(make)
      await host.spawnAll('counter', null, [{ id: a, input: {} }])
      await host.spawn('counter', b, {}, a)
      await host.dispatch({ to: b, event: { type: 'act', orders: [{ beget: c }, { beget: c }] } })
      expect([actor(a)?.parent, actor(b)?.parent, actor(c)?.parent]).toEqual([null, a, b])
      expect(journal(c).map(({ sender }) => sender)).toEqual([b])
    })

    it('may be told something by its maker in the same breath', async () => {
      const { host, counter } = await play(make)
      await host.spawn('counter', a, {}, null)
      const orders = [{ beget: b }, { tell: b, event: { type: 'add', by: 4 } }]
      await host.dispatch({ to: a, event: { type: 'act', orders } })
      expect(counter(b)).toMatchObject({ count: 4, version: 2 })
    })

    it('of a kind that nobody knows is refused, and those asked for with it are made', async () => {
      const { host, actor } = await play(make)
      const sent = await Promise.allSettled([
        host.spawn('stranger', a, {}, null),
        host.spawn('counter', b, {}, null),
        host.spawnAll('counter', null, [{ id: c, input: {} }]),
      ])
      expect(sent.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
      expect([actor(a), actor(b)?.state, actor(c)?.state]).toEqual([undefined, 'idle', 'idle'])
    })

    it('that was taken out of memory comes back with the next message as it was', async () => {
      const { host, counter, journal } = await play(make)
      await host.spawn('counter', a, {}, null)
      await host.dispatch({ to: a, event: { type: 'add', by: 3 } })
      host.passivate(a)
      host.passivate(a)
      host.passivate(b)
      await host.dispatch({ to: a, event: { type: 'add', by: 4 } })
      expect(counter(a)).toMatchObject({ count: 7, version: 3 })
      expect(journal(a).map(({ version }) => version)).toEqual([1, 2, 3])
    })

    it('may be taken out of memory while its work runs or its delay does: both still reach it', async () => {
      let end: (result: string) => void = () => {}
      const result = new Promise<string>((resolve) => {
        end = resolve
      })
      const { host, counter, pass, idle } = await play(make, { fetch: { run: () => result } })
      await host.spawnAll('counter', null, [
        { id: a, input: {} },
        { id: b, input: {} },
      ])
      await host.dispatch({ to: a, event: { type: 'work' } })
      await host.dispatch({ to: b, event: { type: 'wait' } })
      host.passivate(a)
      host.passivate(b)
      await host.dispatch({ to: a, event: { type: 'add', by: 1 } })
      host.passivate(a)
      end('in the end')
      await idle()
      expect(counter(a)).toMatchObject({ state: 'idle', count: 1, last: 'in the end', version: 4 })
      await pass(1000)
      expect(counter(b)).toMatchObject({ state: 'idle', last: 'short', version: 3 })
    })

    it('goes on where it was after a restart, and after a kill', async () => {
      const first = await play(make)
      await first.host.spawn('counter', a, {}, null)
      await first.host.dispatch({ to: a, event: { type: 'add', by: 1 } })
      const second = await first.restarted()
      await second.host.dispatch({ to: a, event: { type: 'add', by: 10 } })
      const third = await second.killed()
      await third.host.dispatch({ to: a, event: { type: 'add', by: 100 } })
      expect(third.counter(a)).toMatchObject({ count: 111, version: 4 })
      await third.host.dispatch({ to: a, event: { type: 'finish' } })
      const fourth = await third.killed()
      expect(await fourth.host.dispatch({ to: a, event: { type: 'add', by: 1 } })).toBe('undeliverable')
    })
  })
