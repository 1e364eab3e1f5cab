import { z } from 'zod'
import type { EvaluationId, TaskId, WorldId } from './ids.ts'

/** One use of a tool. `arguments` are exactly what will be handed to the tool. */
export const ToolCall = z.strictObject({ tool: z.string(), arguments: z.record(z.string(), z.json()) })
export type ToolCall = z.infer<typeof ToolCall>

export const Priority = z.enum(['critical', 'important', 'normal'])
export type Priority = z.infer<typeof Priority>

/** Where something was found; `quote` stands in it word for word. */
export const Provenance = z.strictObject({
  source: z.string(),
  key: z.string(),
  quote: z.string().optional(),
  external: z.boolean(),
})
export type Provenance = z.infer<typeof Provenance>

/** An action that a model recommends: concrete calls, or a plan in words when `calls` is empty. */
export const Proposal = z.strictObject({
  title: z.string(),
  /** The model's own words, shown below the facts and marked as such. */
  summary: z.string().max(300),
  priority: Priority,
  calls: z.array(ToolCall),
  provenance: z.array(Provenance),
})
export type Proposal = z.infer<typeof Proposal>

/** `unknown`: an action may have happened and the user is asked whether it did. */
export type CardKind = 'proposal' | 'unknown' | 'confirmWrite'

export type CardState = 'open' | 'approved' | 'dismissed' | 'expired' | 'withdrawn' | 'superseded' | 'cancelled'

/** A card in the inbox: what waits for the user's answer. One per evaluation that has waited; its id is the evaluation's. */
export interface Card extends Proposal {
  id: EvaluationId
  task: TaskId
  world: WorldId
  kind: CardKind
  state: CardState
  /** Of everything the card shows; an approval must name it. */
  digest: string
  /** Of the action alone; the same action for the same task is one card. */
  fingerprint: string
  external: boolean
  /** True when it came after the fifth new card of its day and is shown folded. */
  bundled: boolean
  createdAt: number
  refreshedAt: number
  expiresAt: number
  answeredAt: number | null
  answeredBy: string | null
  /** The id of the answer that counted. */
  answer: string | null
}
