import { describe, expect, it } from 'vitest'
import type { Source } from '../../src/domain/change.ts'
import { hour, minute } from '../../src/domain/clock.ts'
import { Fault } from '../../src/domain/errors.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import type { House } from '../support/house.ts'
import { gate, pass, settle, until } from './scene.ts'
import { memory, rowOf, steered, tickOf, tinyplace } from './worlds-house.ts'

const capped = () => {
  throw new Fault('model/too-large', 'Request too large for deep-1 in organization on tokens per minute (TPM).', {
    status: 429,
  })
}
const states = ({ runtime }: House) => Object.fromEntries(runtime.status().worlds.map(({ id, state }) => [id, state]))

/** A source that is read for ever, whatever it is told. */
const endless: Source = {
  id: 'endless' as never,
  kind: 'endless',
  title: 'Endless',
  async *read() {
    await new Promise(() => {})
  },
}

describe('two worlds in a workspace', () => {
  it('have each their own state, cadence, counters and next tick', async () => {
    const { home, cycle } = await steered('NONE', {
      settings: { 'orchestration.review_interval_minutes': 1, 'heartbeat.interval_minutes': 10 },
    })
    const { runtime, clock } = home
    const began = clock.now()
    await runtime.start()
    await settle(home)
    cycle('bob', 'Talked.')
    await pass(home, 9 * minute)
    expect(rowOf(home, memory)).toMatchObject({ totalTicks: 1, nextTickAt: began + 10 * minute })
    expect(rowOf(home, tinyplace)).toMatchObject({ totalTicks: 10, nextTickAt: began + 10 * minute, seenThrough: 0 })
    await runtime.pause(tinyplace)
    await pass(home, 2 * minute)
    expect(states(home)).toEqual({ memory: 'resting', tinyplace: 'paused' })
    expect(rowOf(home, memory).totalTicks).toBe(2)
    expect(rowOf(home, tinyplace).totalTicks).toBe(10)
    await expect(runtime.trigger({ world: tinyplace })).rejects.toMatchObject({ code: 'world/paused' })
    await runtime.resume(tinyplace)
    expect(states(home).tinyplace).toBe('resting')
  })

  it('are reviewed by the interval of the heartbeat where none is set, and also while that is off', async () => {
    const { home } = await steered('NONE', {
      settings: { 'heartbeat.enabled': false, 'heartbeat.interval_minutes': 30 },
    })
    await home.runtime.start()
    await pass(home, 61 * minute)
    expect(rowOf(home, tinyplace).totalTicks).toBe(3)
    expect(rowOf(home, memory)).toMatchObject({ totalTicks: 0, nextTickAt: null })
    expect((await home.tick()).state).toBe('done')
  })

  it('do not wait for each other: one that hangs for ever delays the other, and reading how things stand, by nothing', async () => {
    const { home, agent, cycle } = await steered('STEERING_DIRECTIVE: Go on.', { sources: [endless] })
    const { runtime } = home
    cycle('bob', 'Talked.')
    await runtime.start()
    await until(() => agent.requests.length === 1 && rowOf(home, tinyplace).state === 'resting')
    expect(rowOf(home, memory)).toMatchObject({ state: 'ticking', totalTicks: 0 })
    expect(runtime.directives.history()).toHaveLength(1)
    const began = performance.now()
    for (let look = 0; look < 20; look++) runtime.status()
    expect((performance.now() - began) / 20).toBeLessThan(20)
    cycle('bob', 'Talked on.')
    const tick = await runtime.trigger({ world: tinyplace })
    expect(await runtime.settled(tick)).toMatchObject({ state: 'done' })
    expect(rowOf(home, memory).state).toBe('ticking')
  })

  it('are there when they are switched on, and say so when they are not', async () => {
    const { home, agent } = await steered('NONE', { settings: { 'orchestration.enabled': false } })
    const { runtime } = home
    expect(states(home)).toEqual({ memory: 'resting' })
    for (const refused of [
      runtime.trigger({ world: tinyplace }),
      runtime.pause(tinyplace),
      runtime.resume(tinyplace),
    ]) {
      await expect(refused).rejects.toMatchObject({
        code: 'world/disabled',
        message: expect.stringContaining('Set orchestration.enabled = true'),
      })
    }
    await expect(runtime.trigger({ world: 'mars' as never })).rejects.toMatchObject({ code: 'world/unknown' })
    await home.restart({ settings: { 'orchestration.enabled': true }, agent })
    expect(states(home)).toEqual({ memory: 'resting', tinyplace: 'resting' })
    await home.restart({ settings: { 'orchestration.enabled': false }, agent })
    expect(states(home)).toEqual({ memory: 'resting' })
    await home.runtime.start()
    await pass(home, hour)
    expect(rowOf(home, tinyplace)).toMatchObject({ totalTicks: 0, nextTickAt: null })
  })

  it('lets memory be asked to tick in mode off, where it does not by itself', async () => {
    const { home } = await steered('NONE', { settings: { 'subconscious.mode': 'off' } })
    await home.runtime.start()
    await pass(home, 20 * minute)
    expect(rowOf(home, memory).totalTicks).toBe(0)
    expect(rowOf(home, tinyplace).totalTicks).toBeGreaterThan(2)
    expect((await home.tick()).state).toBe('done')
  })
})

describe('a world whose model cannot be asked', () => {
  it('fails before it looks, says what to do, asks nobody, and tries again later each time', async () => {
    const { home, cycle } = await steered('NONE', { agent: undefined as never })
    cycle('bob', 'Talked.')
    const tick = await tickOf(home, tinyplace)
    expect(tick).toMatchObject({ state: 'failed', modelCalls: 0 })
    expect(tick.reason).toMatch(/cannot ask its model: .*Start Ollama, or set up \[models\.cloud\]/)
    const first = rowOf(home, tinyplace)
    expect(first).toMatchObject({ state: 'resting', consecutiveFailures: 1, lastTickAt: null })
    expect(first.nextTickAt).toBe(home.clock.now() + minute)
    await tickOf(home, tinyplace)
    expect(rowOf(home, tinyplace).nextTickAt).toBe(home.clock.now() + 2 * minute)
    expect((await home.tick()).state).toBe('done')
    expect(home.runtime.stores.directives.waiting()).toBe(1)
  })

  it('does not fall back on another model than the one that it was given to', async () => {
    const { home } = await steered('NONE', {
      provider: undefined as never,
      agent: undefined as never,
      settings: { 'models.local.provider': 'builtin', 'models.routes.judge': 'cloud' },
    })
    expect(await home.tick()).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('no model is set under [models.cloud]'),
    })
  })

  it('is told when the key is missing', async () => {
    const { home } = await steered('NONE', {
      provider: undefined as never,
      agent: undefined as never,
      settings: {
        'models.local.provider': 'builtin',
        'models.cloud': { model: 'deep-1', base_url: 'http://127.0.0.1:9', api_key_env: 'NO_SUCH_KEY' },
      },
    })
    const tick = await tickOf(home, tinyplace)
    expect(tick).toMatchObject({ state: 'failed', reason: expect.stringContaining('NO_SUCH_KEY') })
  })
})

describe('a world whose provider will not serve it', () => {
  const halted = async (options = {}) => {
    let answer: () => string = capped
    const scene = await steered(() => answer(), options)
    scene.cycle('bob', 'Talked.')
    return {
      ...scene,
      mend: () => {
        answer = () => 'STEERING_DIRECTIVE: Go on.'
      },
    }
  }

  it.each([
    ['its quota is used up', new Fault('model/quota', 'No credit left.')],
    ['the request is too large', new Fault('model/too-large', 'Too large.', { status: 413 })],
    ['the request is too large for a minute', new Fault('model/too-large', 'Limit: tokens per minute.')],
  ])('halts when %s, alone, and asks no model', async (_, fault) => {
    const { home, agent, cycle } = await steered(() => {
      throw fault
    })
    cycle('bob', 'Talked.')
    expect(await tickOf(home, tinyplace)).toMatchObject({ state: 'failed' })
    expect(rowOf(home, tinyplace)).toMatchObject({
      state: 'halted',
      reason: fault.message,
      consecutiveFailures: 1,
      nextTickAt: home.clock.now() + 15 * minute,
    })
    const again = await tickOf(home, tinyplace)
    expect(again).toMatchObject({ state: 'failed', modelCalls: 0 })
    expect(again.reason).toContain(fault.message)
    expect(rowOf(home, tinyplace)).toMatchObject({ state: 'halted', reason: fault.message, consecutiveFailures: 1 })
    expect(agent.requests).toHaveLength(1)
    expect((await home.tick()).state).toBe('done')
    expect(states(home)).toEqual({ memory: 'resting', tinyplace: 'halted' })
  })

  it('does not halt when what it asked was too much for the model alone', async () => {
    const { home, cycle } = await steered(() => {
      throw new Fault('model/too-large', 'The prompt needs 9000 tokens.', { promptTokens: 9000 })
    })
    cycle('bob', 'Talked.')
    await tickOf(home, tinyplace)
    expect(rowOf(home, tinyplace)).toMatchObject({ state: 'resting', consecutiveFailures: 1 })
  })

  it('tries once after a while, longer each time, and goes on as soon as it is served', async () => {
    const { home, agent, mend } = await halted()
    const { runtime, clock } = home
    const began = clock.now()
    await runtime.start()
    await settle(home)
    const asked: number[] = []
    for (let passed = 0; passed < 20 * hour; passed += 5 * minute) {
      const before = agent.requests.length
      await pass(home, 5 * minute)
      if (agent.requests.length > before) asked.push((clock.now() - began) / minute)
    }
    expect(asked).toEqual([15, 45, 105, 225, 465, 825, 1185])
    mend()
    await pass(home, 6 * hour)
    expect(rowOf(home, tinyplace)).toMatchObject({ state: 'resting', consecutiveFailures: 0, reason: null })
    expect(runtime.directives.history()).toHaveLength(1)
  })

  it('stays halted over a restart, and is let go by the user', async () => {
    const { home, agent, mend } = await halted()
    await tickOf(home, tinyplace)
    const { reason, nextTickAt } = rowOf(home, tinyplace)
    await home.restart()
    await home.runtime.start()
    await pass(home, 10 * minute)
    expect(rowOf(home, tinyplace)).toMatchObject({ state: 'halted', reason, nextTickAt })
    expect(agent.requests).toHaveLength(1)
    mend()
    await home.runtime.resume(tinyplace)
    expect(rowOf(home, tinyplace)).toMatchObject({ state: 'resting', reason: null })
    await settle(home)
    expect(home.runtime.directives.history()).toHaveLength(1)
  })

  it('goes on when another model is asked', async () => {
    const { home, agent } = await halted()
    await tickOf(home, tinyplace)
    const other = {
      ...agent,
      model: 'deep-2',
      chat: async () => ({ text: 'NONE', calls: [], usage: { promptTokens: 1, completionTokens: 1 }, cutOff: false }),
    }
    await home.restart({ agent: other })
    expect(states(home).tinyplace).toBe('halted')
    expect(await tickOf(home, tinyplace)).toMatchObject({ state: 'done' })
    expect(states(home).tinyplace).toBe('resting')
  })

  it('is no longer halted once a start finds another model', async () => {
    const { home, agent } = await halted()
    await tickOf(home, tinyplace)
    await home.restart({ agent: { ...agent, model: 'deep-2' } })
    await home.runtime.start()
    expect(states(home).tinyplace).not.toBe('halted')
  })

  it('halts memory alike, and leaves the sessions alone', async () => {
    const provider = scriptedProvider({
      judge: () => {
        throw new Fault('model/quota', 'No credit left.')
      },
    })
    const { home, cycle, review } = await steered('NONE', {
      provider,
      tasks: ['Watch the notes'],
      files: { 'a.md': 'a' },
    })
    const tick = await home.tick()
    expect(tick).toMatchObject({ state: 'failed', reason: 'No credit left.' })
    expect(states(home)).toEqual({ memory: 'halted', tinyplace: 'resting' })
    const asked = provider.calls.judge.length
    expect(await home.tick()).toMatchObject({ state: 'failed', modelCalls: 0 })
    expect(provider.calls.judge).toHaveLength(asked)
    cycle('bob', 'Talked.')
    expect(await review()).toMatchObject({ state: 'done' })
  })

  it('can be paused while it is halted', async () => {
    const { home } = await halted()
    await tickOf(home, tinyplace)
    await home.runtime.pause(tinyplace)
    expect(states(home).tinyplace).toBe('paused')
    await home.runtime.resume(tinyplace)
    expect(states(home).tinyplace).toBe('resting')
  })
})

describe('a tick of the sessions that hangs', () => {
  it('is superseded when the next is due, twice in a row at most', async () => {
    const held = gate()
    const { home, agent, cycle } = await steered(
      async () => {
        await held.passed
        return 'STEERING_DIRECTIVE: Go on.'
      },
      { settings: { 'orchestration.review_interval_minutes': 1 } },
    )
    cycle('bob', 'Talked.')
    await home.runtime.start()
    for (const asked of [1, 2, 3]) {
      await until(() => agent.requests.length === asked)
      home.clock.set(home.clock.now() + minute)
    }
    await until(() => rowOf(home, tinyplace).generation === 3)
    home.clock.set(home.clock.now() + minute)
    held.open()
    await until(() => rowOf(home, tinyplace).lastTickAt !== null)
    const ends = [1, 2, 3].map((n) => home.runtime.stores.ticks.get(`tick_tinyplace_${n}` as never)?.state)
    expect(ends).toEqual(['superseded', 'superseded', 'done'])
    await settle(home)
    expect(home.runtime.directives.history()).toHaveLength(1)
  })
})
