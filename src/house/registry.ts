import type { ActorHost } from '../actors/actor-host.ts'
import { heartbeatId, instanceId } from '../actors/heartbeat.ts'
import { dueAgainAt } from '../actors/instance.ts'
import type { Policy } from '../actors/ports.ts'
import { Fault } from '../domain/errors.ts'
import type { WorldId } from '../domain/ids.ts'
import type { Settings } from '../domain/settings.ts'
import type { OwnPorts, Profile, TickAt, World, WorldRow } from '../domain/world.ts'
import {
  createInstance,
  enabledKinds,
  instanceOf,
  parseKind,
  type WorldKind,
  type WorldPorts,
  worldKinds,
} from '../profiles/index.ts'
import type { Routes } from './routes.ts'
import type { Stores } from './stores.ts'

export interface RegistryParts {
  host: Pick<ActorHost, 'write' | 'spawnAll' | 'dispatch' | 'dispatchAll'>
  stores: Stores
  settings(): Settings
  policy: Policy
  routes: Pick<Routes, 'refresh'>
  ports: { readonly [Kind in WorldKind]: (tick: TickAt) => WorldPorts[Kind] }
  /** Worlds of the embedder's. */
  own: readonly Profile<OwnPorts>[]
  ownPorts(tick: TickAt): OwnPorts
}

const scheduled = Number.MAX_SAFE_INTEGER

/**
 * The worlds of a workspace. A world is made when it is first needed; its row and the actor of its instance hold what must
 * last, so that how things stand is read without waiting for any tick.
 */
export class Registry {
  readonly #parts: RegistryParts
  readonly #made = new Map<string, World>()
  readonly #own: ReadonlyMap<string, Profile<OwnPorts>>
  #ensured: Promise<void> | null = null

  constructor(parts: RegistryParts) {
    this.#parts = parts
    this.#own = byId(parts.own)
  }

  /** Makes sure of every world that is switched on, once however often it is asked. */
  ensure(): Promise<void> {
    this.#ensured ??= this.#bootstrap().catch((error: unknown) => {
      this.#ensured = null
      throw error
    })
    return this.#ensured
  }

  /** A world by its id, also one that is switched off; undefined for one that nobody here knows. */
  get(id: WorldId): World | undefined {
    const known = this.#made.get(id)
    if (known) return known
    const made = this.#make(id)
    if (made) this.#made.set(id, made)
    return made
  }

  /** The worlds that are there: those that tick by themselves, and those that may be asked to. */
  list(): World[] {
    const enabled = new Set<string>(enabledKinds(this.#parts.settings()))
    return [...worldKinds, ...this.#own.keys()].flatMap((name) => {
      const world = this.get(name as WorldId)
      return world && (this.#own.has(name) || enabled.has(name) || world.onRequest) ? [world] : []
    })
  }

  rows(): WorldRow[] {
    return this.list().flatMap(({ id }) => this.#parts.stores.ticks.world(id) ?? [])
  }

  /** The world that a person means. Throws `world/unknown` and `world/disabled`. */
  find(name: string): World {
    const world = this.get((parseKind(name) ?? name) as WorldId)
    if (!world) {
      throw Fault.use('world/unknown', `There is no world ${name}. undermind status shows which there are.`, {
        world: name,
      })
    }
    this.assertOn(world.id)
    return world
  }

  /** Throws `world/disabled` for a world that is known and switched off. */
  assertOn(id: string): void {
    const world = this.get(id as WorldId)
    if (!world || this.list().includes(world)) return
    const how = world.setting === undefined ? '' : ` Set ${world.setting} = true in undermind.toml to switch it on.`
    throw Fault.use('world/disabled', `${world.title} is switched off.${how}`, { world: world.id })
  }

  /** Minutes between a world's ticks; null while it does not tick by itself, and for one that is not there. */
  cadence(id: WorldId): number | null {
    return this.get(id)?.cadence(this.#parts.settings()) ?? null
  }

  /** Stops the beat, calls running ticks and waiting triggers off, forgets every world and makes them anew. */
  async reset(): Promise<void> {
    const { host } = this.#parts
    const stopped = await host.dispatch({ to: heartbeatId, event: { type: 'stop' } })
    // What the user has paused stays so.
    const going = this.rows().filter(({ state }) => state !== 'paused')
    await host.dispatchAll(going.map(({ id }) => ({ to: instanceId(id), event: { type: 'stop' } })))
    this.#made.clear()
    this.#ensured = null
    await this.ensure()
    await host.dispatchAll(going.map(({ id }) => ({ to: instanceId(id), event: { type: 'resume' } })))
    if (stopped === 'handled') await host.dispatch({ to: heartbeatId, event: { type: 'start' } })
  }

  /** Makes worlds anew as the settings say by now: some come, some go, others tick at other times. Their rows stay. */
  async settingsChanged(): Promise<void> {
    const { host, stores } = this.#parts
    this.#made.clear()
    this.#ensured = null
    await this.ensure()
    const there = new Set(this.list().map(({ id }) => id))
    const gone = worldKinds.filter((kind) => !there.has(kind as WorldId) && stores.ticks.world(kind as WorldId))
    const event = { type: 'cancelTick', reason: 'Switched off' }
    await host.dispatchAll(gone.map((kind) => ({ to: instanceId(kind), event })))
    await this.lookAtHalts()
    await host.dispatch({ to: heartbeatId, event: { type: 'reschedule' } })
  }

  /** Tells worlds that were halted who would be asked now: with somebody else the reason is gone. */
  async lookAtHalts(): Promise<void> {
    const { host, routes, policy } = this.#parts
    const halted = this.rows().filter(({ state }) => state === 'halted')
    if (halted.length === 0) return
    await routes.refresh(new AbortController().signal)
    await host.dispatchAll(
      halted.map(({ id }) => ({
        to: instanceId(id),
        event: { type: 'routeChanged', signature: policy.signatureOf(id) },
      })),
    )
  }

  async #bootstrap(): Promise<void> {
    const { host, stores, settings } = this.#parts
    const { overlap } = settings().heartbeat
    const worlds = this.list()
    await host.write(() => {
      for (const { id, title } of worlds) stores.ticks.registerWorld({ id, kind: id, title })
    })
    const actors = worlds.map(({ id: world }) => ({ id: instanceId(world), input: { world, overlap } }))
    await host.spawnAll('instance', heartbeatId, actors)
    await host.dispatchAll(actors.map(({ id: to }) => ({ to, event: { type: 'settingsChanged', overlap } })))
    await this.#schedule(worlds)
  }

  /** The cadence may have changed while nothing ran; a world that has failed keeps the pause it was in. */
  #schedule(worlds: readonly World[]): Promise<void> {
    const { host, stores, policy } = this.#parts
    const there = new Set(worlds.map(({ id }) => id))
    return host.write(({ now }) => {
      for (const { id } of stores.ticks.dueWorlds(scheduled)) if (!there.has(id)) stores.ticks.setNextTick(id, null)
      for (const id of there) {
        const row = stores.ticks.world(id)
        if (row?.state !== 'resting') continue
        const dueAt = dueAgainAt({ ...row, world: id }, now, stores, policy)
        const isPausing = dueAt !== null && row.nextTickAt !== null && row.consecutiveFailures > 0
        stores.ticks.setNextTick(id, isPausing ? row.nextTickAt : dueAt)
      }
    })
  }

  #make(name: string): World | undefined {
    const own = this.#own.get(name)
    if (own) return instanceOf(own, this.#parts.ownPorts)
    const kind = worldKinds.find((one) => one === name)
    return kind && this.#makeKind(kind)
  }

  #makeKind<Kind extends WorldKind>(kind: Kind): World {
    return createInstance(kind, this.#parts.ports[kind])
  }
}

function byId(profiles: readonly Profile<OwnPorts>[]): Map<string, Profile<OwnPorts>> {
  const found = new Map<string, Profile<OwnPorts>>()
  for (const profile of profiles) {
    const id: string = profile.id
    if (!/^[a-z][a-z0-9-]{0,39}$/.test(id) || parseKind(id) !== null || found.has(id)) {
      throw Fault.use(
        'world/id-invalid',
        `A world cannot be called ${JSON.stringify(id)}: its id is up to 40 small letters, digits and dashes, begins with a letter, and no other world has it.`,
        { id },
      )
    }
    found.set(id, profile)
  }
  return found
}
