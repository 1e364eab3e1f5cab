import type { WorldId } from '../domain/ids.ts'
import { effectiveMode, type Settings } from '../domain/settings.ts'
import type { Profile, TickAt, World } from '../domain/world.ts'
import { type MemoryPorts, memoryProfile } from './memory.ts'
import { type TinyplacePorts, tinyplaceProfile } from './tinyplace.ts'

/** What each kind of world is handed for one tick. */
export interface WorldPorts {
  memory: MemoryPorts
  tinyplace: TinyplacePorts
}

export type WorldKind = keyof WorldPorts

type PortsFor<Ports> = (tick: TickAt) => Ports

interface Entry<Ports> {
  cadence: World['cadence']
  make(ports: PortsFor<Ports>): World
}

const of = <Ports, Context>(profile: Profile<Ports, Context>): Entry<Ports> => ({
  cadence: (settings) => profile.cadence(settings),
  make: (ports) => instanceOf(profile, ports),
})

/** The factory: a line for every kind of world. */
const factory: { readonly [Kind in WorldKind]: Entry<WorldPorts[Kind]> } = {
  memory: of(memoryProfile),
  tinyplace: of(tinyplaceProfile),
}

/** The kinds whose worlds tick by themselves under these settings. */
export const enabledKinds = (settings: Settings): WorldKind[] => [
  ...when(settings.heartbeat.enabled && effectiveMode(settings) !== 'off', 'memory'),
  ...when(settings.orchestration.enabled, 'tinyplace'),
]

const when = (isEnabled: boolean, kind: WorldKind): WorldKind[] => (isEnabled ? [kind] : [])

export const worldKinds = Object.keys(factory) as WorldKind[]

/** Names that worlds had before they were renamed. */
const formerNames: Readonly<Record<string, WorldKind>> = { tiny_place: 'tinyplace' }

/** The kind that a name means; null when there is none of that name. */
export function parseKind(name: string): WorldKind | null {
  if (Object.hasOwn(formerNames, name)) return formerNames[name]!
  return worldKinds.find((kind) => kind === name) ?? null
}

/** The only place where profiles become worlds. */
export const createInstance = <Kind extends WorldKind>(kind: Kind, ports: PortsFor<WorldPorts[Kind]>): World =>
  factory[kind].make(ports)

/** The same for a profile that is none of ours. */
export function instanceOf<Ports, Context>(profile: Profile<Ports, Context>, portsFor: PortsFor<Ports>): World {
  const { id: self, title, description, stage, onRequest, setting } = profile
  return {
    id: self,
    title,
    description,
    ...(stage !== undefined && { stage }),
    ...(onRequest !== undefined && { onRequest }),
    ...(setting !== undefined && { setting }),
    cadence: (settings) => profile.cadence(settings),
    origin: (observation) => profile.origin(observation),
    observe: (tick, signal) => profile.observe(portsFor(tick), signal),
    async reflect(tick, observation, signal) {
      const context = await profile.prepareContext?.(portsFor(tick), observation, signal)
      return profile.reflect(observation, context ?? null)
    },
    commit: (tick, token, answer) => profile.commit(portsFor(tick), token, answer),
  }
}

/** Minutes between the ticks of a world of a built-in kind; null for others, and while it does not tick by itself. */
export function cadenceOf(world: WorldId, settings: Settings): number | null {
  const kind = parseKind(world)
  return kind === null ? null : factory[kind].cadence(settings)
}
