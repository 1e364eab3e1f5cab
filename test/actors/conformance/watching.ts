import { describe, expect, it } from 'vitest'
import type { InspectedStep } from '../../../src/actors/inspection.ts'
import type { News } from '../../../src/domain/news.ts'
import { a, b, type MakeTheatre, play } from './theatre.ts'

export const watching = (make: MakeTheatre) =>
  describe('watching', () => {
    it('tells of every step in order, when it is durable and with who caused it', async () => {
      const { host, journal } = await play(make)
      const steps: InspectedStep[] = []
      const durable: unknown[] = []
      const stop = host.inspect((step) => {
        steps.push(step)
        durable.push(journal(step.actor).at(step.version - 1)?.toState)
      })
      await host.spawn('counter', a, {}, null)
      await host.spawn('counter', b, {}, a)
      await host.dispatchAll([
        { to: a, event: { type: 'act', orders: [{ tell: b, event: { type: 'wait' } }] } },
        { to: a, event: { type: 'leave' } },
        { to: a, event: { type: 'work' } },
      ])
      stop()
      await host.dispatch({ to: a, event: { type: 'leave' } })
      expect(durable).toEqual(steps.map(({ to }) => to))
      expect(steps.every(({ kind, at }) => kind === 'counter' && at === 0)).toBe(true)
      expect(
        steps.map(({ actor, parent, version, sender, event, from, to }) =>
          [actor, parent, version, sender, event.type, from, to].join(' '),
        ),
      ).toEqual([
        'counter_a  1  xstate.init  idle',
        'counter_b counter_a 1 counter_a xstate.init  idle',
        'counter_b counter_a 2 counter_a wait idle waiting',
        'counter_a  2  work idle working',
      ])
    })

    it('gives news in order, once what they tell of is durable, until it is called off', async () => {
      const { host, counter } = await play(make)
      const told: News[] = []
      const durable: string[] = []
      const stop = host.subscribe((item) => {
        told.push(item)
        durable.push(String(counter(a).count))
      })
      await host.spawn('counter', a, {}, null)
      await host.dispatch({ to: a, event: { type: 'add', by: 2 } })
      await host.dispatch({ to: a, event: { type: 'add', by: 3 } })
      stop()
      await host.dispatch({ to: a, event: { type: 'add', by: 4 } })
      expect(durable).toEqual(['0', '2', '5'])
      expect(told).toEqual(['0', '2', '5'].map((body) => ({ type: 'notification', title: a, body })))
    })

    it('hears nothing of what was taken back', async () => {
      const { host } = await play(make)
      await host.spawnAll('counter', null, [
        { id: a, input: {} },
        { id: b, input: {} },
      ])
      const heard: unknown[] = []
      host.inspect((step) => heard.push(step))
      host.subscribe((item) => heard.push(item))
      const orders = [
        { tell: b, event: { type: 'add', by: 1 } },
        { tell: b, event: { type: 'break' } },
      ]
      await expect(host.dispatch({ to: a, event: { type: 'act', orders } })).rejects.toThrow()
      expect(heard).toEqual([])
    })

    it('harms nobody when a watcher throws', async () => {
      const { host, counter } = await play(make)
      const heard: string[] = []
      const fail = () => {
        throw new Error('a watcher that throws')
      }
      host.inspect(fail)
      host.subscribe(fail)
      host.inspect(({ to }) => heard.push(to))
      host.subscribe((item) => heard.push(item.type))
      await host.spawn('counter', a, {}, null)
      await host.dispatch({ to: a, event: { type: 'wait' } })
      expect(heard).toEqual(['idle', 'notification', 'waiting', 'notification'])
      expect(counter(a).state).toBe('waiting')
    })
  })
