import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { actorOf, sessionId } from '../../src/actors/session.ts'
import { hour, minute, second } from '../../src/domain/clock.ts'
import { Fault } from '../../src/domain/errors.ts'
import type { Channel, Outbound } from '../../src/domain/session.ts'
import type { Tool } from '../../src/domain/tool.ts'
import { agentThat, use } from './agent-house.ts'
import { sessionScene, thinker } from './sessions-scene.ts'

const anna = { agent: 'anna', session: 'plans' }

const reader = (says: () => Promise<string>): Tool => ({
  name: 'read_file',
  description: 'Reads.',
  effect: 'read',
  repeatable: true,
  parse: (args) => args,
  target: () => 'file',
  run: says,
})

/** Goes on once something is so. */
async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 10_000 && !isSo(); turn++) await setImmediate()
  expect(isSo()).toBe(true)
}

describe('a process that is killed', () => {
  it("in the core's work goes on at the last step that was done", async () => {
    let reads = 0
    const tool = reader(() => (++reads === 2 ? new Promise(() => {}) : Promise.resolve(`page ${reads}`)))
    const core = agentThat([use('read_file', { n: 1 })], [use('read_file', { n: 2 })])
    const scene = await sessionScene({ core, tools: [tool] })
    await scene.book.send({ ...anna, body: 'Work' })
    scene.clock.set(scene.clock.now() + second)
    await until(() => reads === 2)
    const again = agentThat([use('read_file', { n: 2 })], 'Read both.')
    const next = await scene.restart({ core: again })
    await next.settle()
    expect(next.bodies('anna', 'plans')).toEqual(['> Work', '< Read both.'])
    expect(again.requests[0]!.messages.filter(({ role }) => role === 'tool').map(({ text }) => text)).toEqual([
      expect.stringContaining('page 1'),
    ])
    expect(next.stores.cycles.count('anna')).toBe(1)
  })

  it('before it had answered leaves nothing unanswered, even where its actor or its timer is gone', async () => {
    const scene = await sessionScene()
    await scene.book.send({ ...anna, body: 'hi' })
    await scene.book.send({ agent: 'bob', session: 'chat', body: 'hi' })
    const lost = actorOf(sessionId(anna))
    scene.kill()
    for (const table of ['actor', 'journal']) {
      scene.db.prepare(`DELETE FROM ${table} WHERE ${table === 'actor' ? 'id' : 'actor'} = ?`).run(lost)
    }
    scene.db.prepare('DELETE FROM timer').run()
    const next = await scene.restart()
    await next.pass(second)
    expect(next.bodies('anna', 'plans')).toEqual(['> hi', '< Hello yourself.'])
    expect(next.bodies('bob', 'chat')).toEqual(['> hi', '< Hello yourself.'])
    expect(next.deadLetters()).toEqual([])
  })

  it.each([
    [1, 60, 5],
    [2, 60, 5],
    [3, 200, 20],
  ])(
    'again and again loses no message and answers none twice: story %i, %i messages in %i sessions',
    async (seed, all, many) => {
      let luck = seed * 7919
      const chance = (most: number) => {
        luck = (luck * 1103515245 + 12345) % 2147483648
        return Math.floor(luck / 65_536) % most
      }
      const sessions = Array.from({ length: many }, (_, n) => ({ agent: `agent${n % 3}`, session: `s${n}` }))
      const handed: string[] = []
      const channel: Channel = {
        repeatable: false,
        deliver: async ({ id, session }) => void handed.push(`${session.id} ${id}`),
        check: async ({ id, session }) => (handed.includes(`${session.id} ${id}`) ? 'happened' : 'notHappened'),
      }
      let points = 3 + chance(30)
      let deaths = 0
      let scene = await sessionScene({ channel, diesAt: () => --points <= 0, core: thinker() })
      const live = async () => {
        while (scene.isDead()) {
          deaths++
          points = 3 + chance(30)
          scene = await scene.restart()
        }
      }
      for (let sent = 0; sent < all; ) {
        await live()
        const key = sessions[sent % sessions.length]!
        const body = chance(3) === 0 ? `Work ${sent}` : `hi ${sent}`
        const isTaken = await scene.book.send({ ...key, body, id: `m${sent}` }).then(
          () => true,
          () => false,
        )
        if (isTaken) sent++
        for (let turns = chance(4); turns > 0 && !scene.isDead(); turns--) {
          scene.clock.set(scene.clock.now() + 400)
          for (let breath = 0; breath < 10; breath++) await setImmediate()
        }
      }
      expect(deaths).toBeGreaterThan(5)
      points = Number.POSITIVE_INFINITY
      const last = await scene.restart()
      await last.pass(2 * hour)
      const answered = new Set<string>()
      let messages = 0
      for (const key of sessions) {
        const row = last.stores.sessions.get(sessionId(key))
        if (!row) continue
        expect(row).toMatchObject({ state: 'idle', cursor: row.inbound, attempts: 0 })
        const rows = last.stores.sessions.messages(row.id, { limit: 500 })
        messages += rows.filter(({ role }) => role === 'user').length
        for (const { id, role } of rows) if (role === 'assistant') answered.add(`${row.id} ${id}`)
        expect(rows.at(-1)?.role).toBe('assistant')
      }
      expect(messages).toBe(all)
      expect(handed.length).toBe(new Set(handed).size)
      expect(new Set(handed)).toEqual(answered)
      expect(last.deadLetters()).toEqual([])
    },
    60_000,
  )
})

describe('an answer', () => {
  const sends = (change: Partial<Channel> = {}) => {
    const sent: Outbound[] = []
    const channel: Channel = { repeatable: false, deliver: async (message) => void sent.push(message), ...change }
    return { sent, channel }
  }

  it('leaves through the channel once, with an id that is the same for the same answer', async () => {
    const { sent, channel } = sends()
    const scene = await sessionScene({ channel })
    await scene.book.send({ ...anna, body: 'hi' })
    await scene.pass(second)
    expect(sent).toEqual([
      { id: 'reply:1', body: 'Hello yourself.', session: { ...anna, id: scene.row('anna', 'plans').id, kind: 'peer' } },
    ])
  })

  it('that a channel cannot take is handed over later, without being thought of again', async () => {
    let isDown = true
    const core = thinker('Thought of once.')
    const { sent, channel } = sends()
    const scene = await sessionScene({
      core,
      channel: {
        ...channel,
        deliver: (...given) =>
          isDown ? Promise.reject(new Fault('door/bad-request', 'No line.')) : channel.deliver(...given),
      },
    })
    await scene.book.send({ ...anna, body: 'Work' })
    await scene.pass(2 * second)
    expect(scene.row('anna', 'plans')).toMatchObject({ state: 'retrying', reason: 'No line.', cursor: 0 })
    await scene.book.send({ ...anna, body: 'hello?' })
    isDown = false
    await scene.pass(minute)
    expect(sent.map(({ body }) => body)).toEqual(['Thought of once.', 'Hello yourself.'])
    expect(core.requests).toHaveLength(1)
    expect(scene.bodies('anna', 'plans')).toEqual(['> Work', '> hello?', '< Thought of once.', '< Hello yourself.'])
  })

  it('of which nobody knows whether it arrived is shown and not sent again', async () => {
    let began = 0
    const channel: Channel = {
      repeatable: false,
      deliver: () => {
        began++
        return new Promise(() => {})
      },
    }
    const scene = await sessionScene({ channel })
    await scene.book.send({ ...anna, body: 'hi' })
    scene.clock.set(scene.clock.now() + second)
    await until(() => began === 1)
    const next = await scene.restart()
    await next.pass(hour)
    expect(began).toBe(1)
    expect(next.row('anna', 'plans')).toMatchObject({ state: 'idle', cursor: 1 })
    expect(next.book.attention()).toMatchObject([{ why: 'unknownDelivery', text: 'Hello yourself.' }])
    expect(next.book.status()).toMatchObject({ unsure: 1 })
  })

  it('that was interrupted is sent again only where the channel finds that it did not arrive', async () => {
    for (const outcome of ['happened', 'notHappened'] as const) {
      let began = 0
      const channel: Channel = {
        repeatable: false,
        deliver: () => (++began === 1 ? new Promise<void>(() => {}) : Promise.resolve()),
        check: async () => outcome,
      }
      const scene = await sessionScene({ channel })
      await scene.book.send({ ...anna, body: 'hi' })
      scene.clock.set(scene.clock.now() + second)
      await until(() => began === 1)
      const next = await scene.restart()
      await next.settle()
      expect(began).toBe(outcome === 'happened' ? 1 : 2)
      const { messages } = next.book.messages('anna/plans', { limit: 10 })
      expect(messages.at(-1)).toMatchObject({ role: 'assistant', delivery: 'delivered' })
    }
  })
})
