import { describe, expect, it } from 'vitest'
import { instanceId } from '../../src/actors/heartbeat.ts'
import { hour, minute } from '../../src/domain/clock.ts'
import { Fault } from '../../src/domain/errors.ts'
import { defaultSettings, type Settings } from '../../src/domain/settings.ts'
import type { Observation, OwnPorts, Profile, WorldRow } from '../../src/domain/world.ts'
import { policyOf } from '../../src/house/policy.ts'
import { Registry } from '../../src/house/registry.ts'
import { ownPorts } from '../../src/house/world-ports.ts'
import { house } from '../support/house.ts'
import { gate, pass, settle, until } from './scene.ts'
import { memory, past, rowOf, steered, tickOf, tinyplace } from './worlds-house.ts'

type Own = Profile<OwnPorts>

const nothing: Observation = { rendered: '', hasChanges: false, hasExternalContent: false, commitToken: 0 }

/** A world that sees nothing, but for what a test says. */
const fake = (id: string, does: Partial<Own> = {}): Own => ({
  id: id as never,
  title: `The ${id}`,
  description: `Looks after the ${id}.`,
  cadence: () => 10,
  observe: async () => nothing,
  reflect: () => ({ kind: 'idle' }),
  commit: async () => {},
  origin: () => 'trusted',
  ...does,
})
const garden = 'garden' as never

describe('a world of one’s own', () => {
  it('is seen beside the others, ticks by its cadence, and keeps what is its own', async () => {
    const world = fake('garden', {
      observe: async ({ kept }) => ({ ...nothing, hasChanges: true, commitToken: Number(kept('visits') ?? 0) + 1 }),
      commit: (ports, token) =>
        ports.conclude({ keep: { visits: token }, tell: { key: String(token), title: `Visit ${token}`, body: '' } }),
    })
    const home = await house({ worlds: [world] })
    await home.runtime.start()
    await pass(home, 25 * minute)
    expect(rowOf(home, garden)).toMatchObject({ title: 'The garden', kind: 'garden', state: 'resting', totalTicks: 3 })
    expect(home.runtime.stores.records.kept('garden:visits')).toBe(3)
    expect(home.runtime.stores.records.kept('visits')).toBeUndefined()
    expect(home.runtime.stores.records.notifications(9).map(({ title }) => title)).toEqual([
      'Visit 3',
      'Visit 2',
      'Visit 1',
    ])
    await home.restart()
    await tickOf(home, garden)
    expect(home.runtime.stores.records.kept('garden:visits')).toBe(4)
    await home.restart({ worlds: [] })
    expect(home.runtime.status().worlds.map(({ id }) => id)).toEqual(['memory'])
    await home.runtime.start()
    await pass(home, hour)
    expect(rowOf(home, garden).totalTicks).toBe(4)
  })

  it.each(['', 'Garden', 'memory', 'tiny_place', '1st', 'a b', 'x'.repeat(41)])('cannot be called %j', async (id) => {
    await expect(house({ worlds: [fake(id)] })).rejects.toMatchObject({ code: 'world/id-invalid' })
  })

  it('goes through everything that a tick can come to', async () => {
    let next: Partial<Own> = {}
    const world = fake('garden', {
      stage: 'analyse',
      observe: (ports, signal) => (next.observe ?? (async () => ({ ...nothing, hasChanges: true })))(ports, signal),
      reflect: (...args) => (next.reflect ?? (() => ({ kind: 'idle' })))(...args),
      commit: async () => void committed.push(1),
    })
    const committed: number[] = []
    let says: () => string = () => 'yes'
    const { home, agent } = await steered(() => says(), { worlds: [world] })
    const ends = async (does: Partial<Own>) => {
      next = does
      const { state, modelCalls, reason } = await tickOf(home, garden)
      return [state, modelCalls, reason, committed.splice(0).length, rowOf(home, garden).state]
    }
    const asks: Partial<Own> = {
      reflect: () => ({
        kind: 'ask',
        ask: { system: 's', user: 'u', maxTokens: 10 },
        parse: (text) => (text === 'yes' ? { kind: 'answer', answer: 'yes' } : { kind: 'broken', problem: 'No yes.' }),
      }),
    }
    expect(await ends({ observe: async () => nothing })).toEqual(['quiet', 0, null, 1, 'resting'])
    expect(await ends({})).toEqual(['quiet', 0, null, 1, 'resting'])
    expect(await ends(asks)).toEqual(['done', 1, null, 1, 'resting'])
    says = () => 'no'
    expect(await ends(asks)).toEqual(['done', 2, expect.stringContaining('No yes.'), 1, 'resting'])
    const failing = { observe: () => Promise.reject(new Error('Fog')) }
    expect(await ends(failing)).toEqual(['failed', 0, 'Fog', 0, 'resting'])
    says = () => {
      throw new Fault('model/quota', 'Spent.')
    }
    expect(await ends(asks)).toEqual(['failed', 0, 'Spent.', 0, 'halted'])
    expect(await ends(asks)).toEqual(['failed', 0, expect.stringContaining('Spent.'), 0, 'halted'])
    await home.runtime.resume(garden)
    expect(agent.requests).toHaveLength(4)

    const hanging = gate<Observation>()
    next = { observe: () => hanging.passed }
    const slow = await home.runtime.trigger({ world: garden })
    await until(() => home.runtime.stores.ticks.get(slow)?.state === 'working.observing')
    next = {}
    const quick = await home.runtime.trigger({ world: garden })
    expect(await home.runtime.settled(quick)).toMatchObject({ state: 'quiet' })
    hanging.open({ ...nothing, hasChanges: true })
    await settle(home)
    expect(home.runtime.stores.ticks.get(slow)).toMatchObject({ state: 'superseded' })
    expect(committed.splice(0)).toHaveLength(1)

    const endless = gate<Observation>()
    next = { observe: () => endless.passed }
    const late = await home.runtime.trigger({ world: garden })
    await until(() => home.runtime.stores.ticks.get(late)?.state === 'working.observing')
    home.clock.set(home.clock.now() + 31 * minute)
    expect(await home.runtime.settled(late)).toMatchObject({ state: 'timedOut' })
    endless.open(nothing)
    await settle(home)
    expect(committed).toEqual([])
  })

  it('may hang beside a hundred others that do, and none of them waits', async () => {
    let looked = 0
    const never = (_: OwnPorts, signal: AbortSignal): Promise<Observation> => {
      looked++
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
    const worlds = Array.from({ length: 100 }, (_, n) => fake(`w${n}`, { observe: never }))
    const home = await house({ worlds: [...worlds, fake('garden')] })
    await home.runtime.start()
    await until(() => looked === 100 && rowOf(home, garden).totalTicks === 1)
    const { runtime } = home
    expect(await runtime.settled(await runtime.trigger({ world: garden }))).toMatchObject({ state: 'quiet' })
    expect(looked).toBe(100)
  })
})

describe('the registry', () => {
  function registry() {
    const settings = structuredClone(defaultSettings())
    const make = async (own: Own[] = []) => {
      const home = await house()
      const { stores, host } = home.runtime
      let made = 0
      const policy = policyOf({
        settings: () => settings,
        timezone: () => 'UTC',
        tools: new Map(),
        random: () => 0.5,
        cadence: (world) => worlds.cadence(world),
        model: () => 'openai:one',
      })
      const asked = { spawned: 0 }
      const worlds = new Registry({
        host: {
          write: (change) => host.write(change),
          dispatch: (message) => host.dispatch(message),
          dispatchAll: (messages) => host.dispatchAll(messages),
          spawnAll: (kind, parent, actors) => {
            asked.spawned++
            return host.spawnAll(kind, parent, actors)
          },
        },
        stores,
        settings: () => settings,
        policy,
        routes: { refresh: async () => {} },
        ports: {
          memory: () => {
            made++
            throw new Error('no ports')
          },
          tinyplace: () => {
            throw new Error('no ports')
          },
        },
        own,
        ownPorts: ownPorts({ host, stores }),
      })
      return {
        home,
        worlds,
        asked,
        made: () => made,
        row: (id: string): WorldRow | undefined => stores.ticks.world(id as never),
      }
    }
    const change = (how: (settings: Settings) => void) => how(settings)
    return { make, change }
  }

  it('bootstraps once, however often and from wherever it is asked', async () => {
    const { make } = registry()
    const { worlds, asked, made } = await make([fake('garden')])
    await Promise.all([worlds.ensure(), worlds.ensure(), worlds.ensure()])
    await worlds.ensure()
    expect(asked.spawned).toBe(1)
    expect(worlds.list().map(({ id }) => id)).toEqual(['memory', 'garden'])
    expect(worlds.get(garden)).toBe(worlds.get(garden))
    expect(made()).toBe(0)
  })

  it('makes what comes with the settings, and lets go of what goes with them', async () => {
    const { make, change } = registry()
    const { worlds, row } = await make()
    await worlds.ensure()
    expect(row('tinyplace')).toBeUndefined()
    const former = worlds.get(memory)
    change(({ orchestration }) => {
      orchestration.enabled = true
      orchestration.review_interval_minutes = 7
    })
    await worlds.settingsChanged()
    expect(worlds.rows().map(({ id }) => id)).toEqual(['memory', 'tinyplace'])
    expect(worlds.cadence(tinyplace)).toBe(7)
    expect(row('tinyplace')?.nextTickAt).not.toBeNull()
    expect(worlds.get(memory)).not.toBe(former)
    change(({ orchestration }) => {
      orchestration.enabled = false
    })
    await worlds.settingsChanged()
    expect(worlds.rows().map(({ id }) => id)).toEqual(['memory'])
    expect(row('tinyplace')?.nextTickAt).toBeNull()
    expect(() => worlds.find('tiny_place')).toThrow('Set orchestration.enabled = true')
  })

  it('starts anew on reset: running ticks and waiting triggers are called off, counters and pauses stay', async () => {
    const held = gate<Observation>()
    const hangs = fake('garden', { observe: () => held.passed })
    const home = await house({ worlds: [hangs, fake('shed')] })
    const { runtime } = home
    await runtime.pause('shed' as never)
    await runtime.start()
    await until(() => rowOf(home, garden).state === 'ticking')
    const running = 'tick_garden_1' as never
    await runtime.worlds.reset()
    await until(() => runtime.stores.ticks.get(running)?.state === 'cancelled')
    expect(rowOf(home, 'shed' as never).state).toBe('paused')
    held.open(nothing)
    await until(() => rowOf(home, garden).state === 'resting')
    expect(rowOf(home, garden)).toMatchObject({ consecutiveFailures: 0, totalTicks: 2 })
    expect(await tickOf(home, garden)).toMatchObject({ state: 'quiet' })
  })
})

describe('a beat', () => {
  it('ticks exactly those that are due, all at once', async () => {
    const running = new Set<string>()
    let most = 0
    const held = gate()
    const worlds = Array.from({ length: 12 }, (_, n) =>
      fake(`w${n}`, {
        cadence: () => (n < 5 ? 10 : 60),
        observe: async () => {
          running.add(`w${n}`)
          most = Math.max(most, running.size)
          await held.passed
          running.delete(`w${n}`)
          return nothing
        },
      }),
    )
    const home = await house({ worlds, settings: { 'heartbeat.enabled': false } })
    await home.runtime.start()
    await until(() => most === 12)
    held.open()
    await settle(home)
    await pass(home, 10 * minute)
    const ticks = worlds.map(({ id }) => rowOf(home, id).totalTicks)
    expect(ticks).toEqual([2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1])
  })

  it('costs what is due, and not what is registered', async () => {
    const worlds = Array.from({ length: 10 }, (_, n) => fake(`w${n}`))
    const home = await house({ worlds })
    const { runtime, clock } = home
    await runtime.start()
    await settle(home)
    const beat = async () => {
      clock.set(clock.now() + 10 * minute)
      const began = performance.now()
      await settle(home)
      return performance.now() - began
    }
    const few = await quickest(beat)
    past(home).written((db) => {
      const world = db.prepare(
        "INSERT INTO world(id, kind, title, state, next_tick_at) VALUES(?, 'idle', 'Idle', 'resting', ?)",
      )
      const actor = db.prepare(
        `INSERT INTO actor(id, kind, chart, version, status, state, snapshot, created_at, updated_at)
         VALUES(?, 'instance', 2, 3, 'active', 'resting', '{}', 0, 0)`,
      )
      db.transaction(() => {
        for (let n = 0; n < 100_000; n++) {
          world.run(`idle_${n}`, n % 2 === 0 ? clock.now() + 400 * 24 * hour : null)
          actor.run(`instance_idle_${n}`)
        }
      })()
    })
    const many = await quickest(beat)
    expect(rowOf(home, 'w9' as never).totalTicks).toBeGreaterThan(10)
    expect(many, `${few} ms for ten of ten`).toBeLessThan(2 * few + 10)
    expect(runtime.status().worlds).toHaveLength(11)
  })

  it('leaves worlds in their rows while nothing happens to them', async () => {
    const worlds = Array.from({ length: 30 }, (_, n) => fake(`w${n}`))
    const home = await house({ worlds })
    await home.runtime.start()
    await settle(home)
    expect(home.runtime.host.liveActors).toBeLessThan(5)
    await home.runtime.host.dispatch({ to: instanceId('w3'), event: { type: 'pause' } })
    expect(rowOf(home, 'w3' as never).state).toBe('paused')
  })
})

/** The time of the quickest of some, which says what it costs where others use the machine too. */
async function quickest(once: () => Promise<number>): Promise<number> {
  const times = []
  for (let n = 0; n < 8; n++) times.push(await once())
  return Math.min(...times)
}
