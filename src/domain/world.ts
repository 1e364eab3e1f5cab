import type { TickId, WorldId } from './ids.ts'
import type { JSONType } from './json.ts'
import type { Settings } from './settings.ts'
import type { Task } from './task.ts'

/** A tick, as people see it. */
export interface TickRow {
  id: TickId
  world: WorldId
  generation: number
  /** Asked for by the user to judge due tasks even where nothing changed. */
  force: boolean
  /** What it is doing, or what it became. */
  state: string
  reason: string | null
  modelCalls: number
  evaluations: number
  /** Due tasks that needed no model call because nothing they look at had changed. */
  callsAvoided: number
  startedAt: number
  endedAt: number | null
}

/** A world instance, as people see it. */
export interface WorldRow {
  id: WorldId
  kind: string
  title: string
  state: string
  reason: string | null
  generation: number
  lastTickAt: number | null
  /** When it ticks by itself next; null while it does not. */
  nextTickAt: number | null
  totalTicks: number
  consecutiveFailures: number
  /** The last change a committed tick has seen; for display only. */
  seenThrough: number
}

/** What of a tick decides what its world sees. */
export interface TickAt {
  tick: TickId
  world: WorldId
  /** When the tick began: what falls due later belongs to the next one. */
  at: number
  /** Judge due tasks even where nothing they look at has changed. */
  force: boolean
}

/** Why a world asks no model: its provider will not serve requests like its own, however often they are sent. */
export interface Halt {
  /** `<instance>|<provider>:<model>`: with another model the reason is gone. */
  signature: string
  reason: string
  /** How many times in a row it came to this. */
  times: number
  /** From then on one tick may try whether it still is so. */
  openAt: number
}

/** What a profile hands on from `observe` to `commit`; opaque to whoever carries it. */
export type Token = number | string

/** What a world's profile saw. `commitToken` is handed back to `commit` once everything that follows is durable. */
export interface Observation {
  rendered: string
  hasChanges: boolean
  hasExternalContent: boolean
  commitToken: Token
  /** Due tasks left alone because nothing they look at has changed. */
  callsAvoided?: number
  /** True when more waits than one tick takes up: the next one is due at once. */
  more?: boolean
}

/** Tasks that are judged together on one report. */
export interface Batch {
  tasks: Pick<Task, 'id' | 'intent' | 'retryOf'>[]
  /** The window of changes they are judged on: after `from`, through `through`. */
  from: number
  through: number
  tainted: boolean
}

export interface Plan {
  batches: Batch[]
}

/** One question to a model, without tools. Only `system` is the profile's own word; `user` may hold fenced data. */
export interface Question {
  system: string
  user: string
  /** Tokens the answer may have. */
  maxTokens: number
}

/** What an answer says: something to commit, that there is nothing to say, or what is wrong with it. */
export type Reading = { kind: 'answer'; answer: JSONType } | { kind: 'declined' } | { kind: 'broken'; problem: string }

/** What is to be done about an observation; the tick carries it out. */
export type Reflection =
  | { kind: 'evaluate'; plan: Plan }
  | { kind: 'ask'; ask: Question; parse(text: string): Reading }
  | { kind: 'idle' }

/**
 * The policy of one kind of world. It holds no lock, timer or loop, and has no power but the ports it is handed.
 * A failed `observe` fails the tick and moves nothing.
 */
export interface Profile<Ports, Context = null> {
  /** Names its rows, keys and ticks: small letters, digits and dashes. */
  readonly id: WorldId
  readonly title: string
  readonly description: string
  /** The part of the models' work that its questions are; a world without one asks nobody, so nobody has to be there. */
  readonly stage?: 'judge' | 'analyse'
  /** True for a world that is there, and may be asked to tick, also while it does not tick by itself. */
  readonly onRequest?: boolean
  /** The setting that switches it on, where one does. */
  readonly setting?: string
  /** Minutes between ticks; null when the world does not tick by itself. */
  cadence(settings: Settings): number | null
  observe(ports: Ports, signal: AbortSignal): Promise<Observation>
  prepareContext?(ports: Ports, observation: Observation, signal: AbortSignal): Promise<Context>
  /** Pure. `context` is null where the profile prepares none. */
  reflect(observation: Observation, context: Context | null): Reflection
  /** `answer` is what `parse` has read; null where nobody was asked, or the answer declined. */
  commit(ports: Ports, token: Token, answer: JSONType | null): Promise<void>
  origin(observation: Observation): 'trusted' | 'tainted'
}

/** A profile in its place: what a tick calls, with the ports filled in. */
export interface World
  extends Pick<
    Profile<never>,
    'id' | 'title' | 'description' | 'stage' | 'onRequest' | 'setting' | 'cadence' | 'origin'
  > {
  observe(tick: TickAt, signal: AbortSignal): Promise<Observation>
  /** Prepares the context and reflects on both. */
  reflect(tick: TickAt, observation: Observation, signal: AbortSignal): Promise<Reflection>
  commit(tick: TickAt, token: Token, answer: JSONType | null): Promise<void>
}

/** What a world of an embedder's own is handed for one tick. */
export interface OwnPorts {
  /** When the tick began, milliseconds UTC. */
  readonly at: number
  /** What an earlier tick of this world has kept under a name; undefined when nothing. */
  kept(name: string): JSONType | undefined
  /** Makes good what a tick came to, as one: values to keep, and what the user is told, once for each `key`. */
  conclude(result: {
    keep?: Readonly<Record<string, JSONType>>
    tell?: { key: string; title: string; body: string }
  }): Promise<void>
}
