import type { TickId, WorldId } from './ids.ts'
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

/** What a world's profile saw. `commitToken` is handed back to `commit` once everything that follows is durable. */
export interface Observation {
  rendered: string
  hasChanges: boolean
  hasExternalContent: boolean
  commitToken: number
  /** Due tasks left alone because nothing they look at has changed. */
  callsAvoided: number
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

/** What is to be done about an observation; the tick carries it out. */
export type Reflection = { kind: 'evaluate'; plan: Plan } | { kind: 'idle' }

/**
 * The policy of one kind of world. It holds no lock, timer or loop, and has no power but the ports it is handed.
 * A failed `observe` fails the tick and moves nothing.
 */
export interface Profile<Ports> {
  readonly id: WorldId
  readonly title: string
  readonly description: string
  /** Minutes between ticks; null when the world does not tick by itself. */
  cadence(settings: Settings): number | null
  observe(ports: Ports, signal: AbortSignal): Promise<Observation>
  prepareContext(ports: Ports, observation: Observation, signal: AbortSignal): Promise<Plan>
  reflect(observation: Observation, context: Plan): Reflection
  commit(ports: Ports, token: number): Promise<void>
  origin(observation: Observation): 'trusted' | 'tainted'
}
