import type { z } from 'zod'
import type { JSONType } from '../../domain/json.ts'
import type { ActorRow, Definition as DefinitionRow, MessageRow, StepRow } from '../../rpc/methods/inspector.ts'

export type Actor = z.output<typeof ActorRow>
export type Definition = z.output<typeof DefinitionRow>
export type Step = z.output<typeof StepRow>
export type Message = z.output<typeof MessageRow>

export interface HistoryStep extends Step {
  summary: { state: string; at: number; event: string | null }[] | null
  snapshot: JSONType
}

export interface ActorDetail extends Actor {
  chart: number | null
  snapshot: JSONType
  timers: { name: string; due_at: number; event: string }[]
  work: { key: string; invoke: string; kind: string; state: string; attempts: number }[]
  children: number
}

/** The notification that carries a step. */
export const stepMethod = 'inspector.step'

/** The methods of the inspector. */
export interface InspectorMethods {
  'inspector.actors': {
    params: { after?: string; limit: number }
    result: { actors: Actor[]; next: string | null }
  }
  'inspector.actor': { params: { id: string }; result: ActorDetail }
  'inspector.definition': { params: { kind: string }; result: Definition }
  'inspector.history': {
    params: { actor: string; from_version?: number; snapshots: boolean; limit: number }
    result: { actor: string; kind: string; steps: HistoryStep[]; next: number | null }
  }
  'inspector.messages': {
    params: { actor?: string; since_seq?: number; limit: number }
    result: { messages: Message[]; next: number; more: boolean }
  }
  'inspector.subscribe': {
    params: { actor?: string; since_seq?: number; subscription: string }
    result: { subscription: string; from: number; head: number }
  }
  'inspector.unsubscribe': { params: { subscription: string }; result: { ended: boolean } }
}
