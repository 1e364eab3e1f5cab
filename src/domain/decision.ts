import { z } from 'zod'
import { Proposal, Provenance } from './escalation.ts'

const reason = z.string().max(2000).default('')
const sources = z.array(Provenance).default([])

/** What a model says about one task. `act` may carry its result; without one the result is asked for in a further step. */
export const Decision = z.discriminatedUnion('decision', [
  z.object({ decision: z.literal('skip'), reason }),
  z.object({
    decision: z.literal('act'),
    reason,
    text: z.string().min(1).max(20_000).optional(),
    needs: z.enum(['text', 'tools']).optional(),
    sources,
  }),
  z.object({ decision: z.literal('escalate'), reason, sources }),
])
export type Decision = z.infer<typeof Decision>

/** True when content that nobody has vouched for took part in it. */
const tainted = z.boolean().optional()

/**
 * What work on a task came to: a result to log, an action to ask the user about, or, with `unsure`, one of which only the
 * user can say whether it has happened.
 */
export const Analysis = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('result'), text: z.string(), sources, tainted }),
  z.object({
    kind: z.literal('proposal'),
    proposal: Proposal,
    text: z.string().optional(),
    unsure: z.boolean().optional(),
    tainted,
  }),
])
export type Analysis = z.infer<typeof Analysis>

/** The result of a step that produces text. */
export const Execution = z.object({ text: z.string(), sources })
export type Execution = z.infer<typeof Execution>
