import { createHash } from 'node:crypto'
import type { Proposal } from '../domain/escalation.ts'
import type { EvaluationId } from '../domain/ids.ts'
import { canonical } from '../domain/json.ts'

const short = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('hex').slice(0, 32)

/** Names everything a card shows, so that an approval can only mean what was seen. */
export const digestOf = (evaluation: EvaluationId, proposal: Proposal): string => short({ evaluation, proposal })

/** Names the action alone: the same calls, or without calls the same words, are one action. */
export const fingerprintOf = (proposal: Proposal): string =>
  short(proposal.calls.length > 0 ? proposal.calls : { title: proposal.title, summary: proposal.summary })
