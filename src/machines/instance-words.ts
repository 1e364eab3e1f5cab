import { hour, minute } from '../domain/clock.ts'
import type { ToolCall } from '../domain/escalation.ts'
import type { EvaluationId, TickId, WorldId } from '../domain/ids.ts'
import type { Halt } from '../domain/world.ts'
import type { Dismissal } from './evaluation-words.ts'
import type { TickEnd } from './tick-words.ts'

export interface InstanceInput {
  world: WorldId
  /** What a newer tick does to a running one. */
  overlap: 'supersede' | 'finish'
}

export interface InstanceContext extends InstanceInput {
  generation: number
  tick: TickId | null
  /** A tick asked for while one was running. */
  next: { force: boolean } | null
  /** How many ticks in a row were superseded; after two, one is left to finish. */
  superseded: number
  totalTicks: number
  consecutiveFailures: number
  lastTickAt: number | null
  lastEnd: TickEnd | null
  reason: string | null
  /** Set from the moment that its provider will not serve it until a tick finds that it does, or the user says so. */
  halt: Halt | null
  /** The last tick left more than it took up. */
  more: boolean
}

/** Who answers, and the id of the answer: of two answers to one card, the card's row says which one counted. */
export interface Answering {
  evaluation: EvaluationId
  by: string
  answer: string
}

/** An answer of the user's, on its way to the evaluation it is for. */
export type AnswerEvent =
  | ({ type: 'approve'; digest: string; calls?: ToolCall[] } & Answering)
  | ({ type: 'dismiss'; reason: Dismissal } & Answering)
  | ({ type: 'respond'; text: string } & Answering)
  | ({ type: 'checked'; happened: boolean } & Answering)
  | ({ type: 'cancelEvaluation'; reason: string } & Answering)

export interface TickSettled {
  type: 'tickSettled'
  tick: TickId
  end: TickEnd
  reason: string | null
  /** Of what it failed, where it did. */
  code: string | null
  /** Who is asked for this world: `<instance>|<provider>:<model>`. */
  signature: string
  more: boolean
  at: number
}

export type InstanceEvent =
  | { type: 'tick' }
  | { type: 'trigger'; force: boolean }
  | { type: 'pause' }
  | { type: 'resume' }
  | { type: 'cancelTick'; reason: string }
  | { type: 'settingsChanged'; overlap: 'supersede' | 'finish' }
  /** Tells who would be asked now. */
  | { type: 'routeChanged'; signature: string }
  | { type: 'stop' }
  | TickSettled
  | AnswerEvent

/** What a tick failed of when its provider will never serve it, and when the world asks nobody because of that. */
const rateCap = 'model/rate-cap'
export const halted = 'world/halted'

/** Milliseconds after which one tick tries again: a quarter of an hour, doubled each time up to six hours. */
const coolDown = (times: number): number => Math.min(longestCoolDown, 15 * minute * 2 ** Math.min(times - 1, 10))

export const longestCoolDown = 6 * hour

/** A tick that asked its model and came through lifts a halt; one that was turned away for good begins or prolongs it. */
export function haltAfter(halt: Halt | null, { end, code, signature, reason, at }: TickSettled): Halt | null {
  if (end === 'done') return null
  if (end !== 'failed' || code !== rateCap) return halt
  const times = halt?.signature === signature ? halt.times + 1 : 1
  return { signature, reason: reason ?? '', times, openAt: at + coolDown(times) }
}

/** Two ticks within one moment are told apart; a clock that was set back is believed. */
export const laterThan = (last: number | null, at: number): number =>
  last !== null && at <= last && last - at < minute ? last + 1 : at

/** The id of a world's tick says which world and generation it is; a generation has one tick, so the id is also its lock. */
export const tickIdOf = (world: WorldId, generation: number): TickId => `tick_${world}_${generation}` as TickId

/** The second version knows halts. */
export function withHalt(snapshot: unknown): unknown {
  const { context, ...rest } = snapshot as { context: InstanceContext }
  return { ...rest, context: { ...context, halt: null, more: false } }
}
