import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { House } from '../support/house.ts'
import { escalates, judging } from '../support/served.ts'
import { cloudScene } from './cloud-scene.ts'
import { until } from './scene.ts'
import { type Brain, closedAfter, localHouse, ollama, plain } from './served-house.ts'

describe('a call that nobody wants any more', () => {
  const stuckIn: Record<string, Brain> = {
    judging: () => 'silence',
    executing: (asked) =>
      asked.schema?.name === 'judgement' ? judging(asked, { decision: 'act', needs: 'text' }) : 'silence',
    analysing: (asked) => (asked.schema?.name === 'judgement' ? judging(asked, escalates) : 'silence'),
  }
  const acts: Record<string, (home: House) => Promise<unknown>> = {
    'a newer tick': (home) => home.runtime.trigger({ force: true }),
    'a pause': (home) => home.runtime.pause(),
    'the end of the runtime': (home) => home.runtime[Symbol.asyncDispose](),
    'the cancelling of its tick': (home) => {
      const { tick } = home.runtime.stores.evaluations.log({ limit: 1 })[0]!
      return home.runtime.host.dispatch({ to: tick as never, event: { type: 'cancel', reason: 'Enough' } })
    },
    'the cancelling of its evaluation': (home) =>
      home.runtime.answers.cancel(home.runtime.stores.evaluations.log({ limit: 1 })[0]!.id, { by: 'cli' }),
  }
  const cases = Object.keys(stuckIn).flatMap((phase) => Object.keys(acts).map((what) => [phase, what] as const))

  // A batch goes on while one of its tasks is cancelled.
  it.each(cases.filter(([phase, what]) => phase !== 'judging' || what !== 'the cancelling of its evaluation'))(
    'in %s is closed within a tenth of a second, seen from the server, by %s',
    async (phase, what) => {
      const times: number[] = []
      // A machine that is busy otherwise may be late now and then.
      for (let n = 0; n < 4 && Math.min(Number.POSITIVE_INFINITY, ...times) >= 100; n++) {
        const { server } = await ollama(stuckIn[phase])
        const { home } = await localHouse({ OLLAMA_HOST: server.address })
        await home.runtime.trigger()
        const { log } = home.runtime.stores.evaluations
        await until(() => log({ limit: 1 })[0]?.phase === phase)
        const asks = phase === 'judging' ? 1 : 2
        await until(() => server.chats().length === asks)
        times.push(await closedAfter(server, '/api/chat', () => acts[what]!(home)))
        await home.runtime[Symbol.asyncDispose]()
      }
      expect(Math.min(...times)).toBeLessThan(100)
    },
  )

  it.each(['auto', 'ollama'])(
    'is made again after the end of the runtime, where it was, of the same model (%s)',
    async (provider) => {
      const { server, thinks } = await ollama(() => 'silence')
      const settings = { 'models.local.provider': provider }
      const { home, nobodyLeft } = await localHouse({ OLLAMA_HOST: server.address, settings })
      const tick = await home.runtime.trigger()
      await server.next('/api/chat')
      await home.runtime[Symbol.asyncDispose]()
      thinks(plain)
      await home.restart()
      expect(await home.runtime.settled(tick)).toMatchObject({ state: 'done' })
      expect(home.runtime.stores.evaluations.ofTick(tick)).toMatchObject([
        { state: 'acted', text: 'Something changed.' },
      ])
      nobodyLeft()
    },
  )

  it('of an agent is made again after the end of the runtime, with all that it knew', async () => {
    const reads: Brain = (asked, turn) => {
      if (asked.schema) return judging(asked, escalates)
      return turn === 1 ? { calls: [{ tool: 'read_file', arguments: '{"path":"notes.md"}' }] } : 'silence'
    }
    const { server, thinks } = await ollama(reads)
    const { home } = await localHouse({ OLLAMA_HOST: server.address })
    const tick = await home.runtime.trigger()
    await until(() => server.chats().length === 3)
    await home.runtime[Symbol.asyncDispose]()
    thinks(() => ({ text: 'All is well.' }))
    await home.restart()
    await home.runtime.settled(tick)
    expect(home.runtime.stores.evaluations.ofTick(tick)).toMatchObject([{ state: 'acted', text: 'All is well.' }])
    expect(server.chats()).toHaveLength(4)
    expect(server.chats()[3]?.messages).toEqual(server.chats()[2]?.messages)
  })

  it('of a plan that was approved goes to the local model, though nobody has looked for it since the start', async () => {
    const plan: Brain = (asked, turn) => {
      if (asked.schema) return judging(asked, escalates)
      if (turn === 1) return { text: 'RECOMMENDED ACTION: Write “booked” into STATUS.md.' }
      return turn === 2
        ? { calls: [{ tool: 'write_file', arguments: '{"path":"STATUS.md","content":"booked"}' }] }
        : { text: 'It stands there.' }
    }
    const { server } = await ollama(plan)
    const { home } = await localHouse({ OLLAMA_HOST: server.address })
    await home.tick()
    await home.restart()
    const [card] = home.cards()
    expect(card?.calls).toEqual([])
    expect(await home.runtime.approve(card!)).toMatchObject({ state: 'acted' })
    expect(await readFile(join(home.root, 'STATUS.md'), 'utf8')).toBe('booked')
  })
})

describe('a call to the cloud that nobody wants any more', () => {
  it.each<[string, (home: House) => Promise<unknown>]>([
    ['a newer tick', (home) => home.runtime.trigger({ force: true })],
    ['a pause', (home) => home.runtime.pause()],
    ['the end of the runtime', (home) => home.runtime[Symbol.asyncDispose]()],
    [
      'the cancelling of its evaluation',
      (home) => home.runtime.answers.cancel(home.runtime.stores.evaluations.log({ limit: 1 })[0]!.id, { by: 'cli' }),
    ],
  ])('is closed within a tenth of a second, seen from the endpoint, by %s', async (_, act) => {
    const times: number[] = []
    for (let n = 0; n < 4 && Math.min(Number.POSITIVE_INFINITY, ...times) >= 100; n++) {
      const { home, server } = await cloudScene({ brain: () => 'silence' })
      await home.runtime.trigger()
      await until(() => server.chats().length === 1)
      times.push(await closedAfter(server, '/v1/chat/completions', () => act(home)))
      await home.runtime[Symbol.asyncDispose]()
    }
    expect(Math.min(...times)).toBeLessThan(100)
  })
})
