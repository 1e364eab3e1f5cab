import type { EventObject } from 'xstate'
import type { Analysis } from '../domain/decision.ts'
import type { Proposal } from '../domain/escalation.ts'
import type { ActorId, EvaluationId } from '../domain/ids.ts'
import type { Task } from '../domain/task.ts'
import type { Standing } from '../machines/evaluation-words.ts'
import { digestOf, fingerprintOf } from './digest.ts'
import type { Policy, Rows } from './ports.ts'
import type { Turn } from './seat.ts'

/** True for work that came to a proposal. */
export const isProposal = (
  event: EventObject,
): event is { type: 'work.done'; output: Extract<Analysis, { kind: 'proposal' }> } =>
  event.type === 'work.done' && (event as { output?: { kind?: string } }).output?.kind === 'proposal'

/** Adds what the rows say of a proposal: its digest, and whether the user need be asked about it at all. */
export function withStanding(
  output: Extract<Analysis, { kind: 'proposal' }>,
  actor: ActorId,
  rows: Rows,
  policy: Policy,
  turn: Turn,
): EventObject {
  const self = actor as string as EvaluationId
  const { proposal, unsure = false } = output
  const fingerprint = fingerprintOf(proposal)
  const kind = unsure ? ('unknown' as const) : ('proposal' as const)
  const question = { kind, proposal, digest: digestOf(self, proposal), fingerprint }
  const task = rows.evaluations.get(self)?.task
  const standing = task === undefined || unsure ? 'new' : standingOf(rows.tasks.get(task), proposal, fingerprint, self)
  return { type: 'work.done', output: { ...output, standing, question } } as EventObject

  function standingOf(row: Task | undefined, asked: Proposal, action: string, own: EvaluationId): Standing {
    if (row && isCovered(row, asked, policy)) return 'covered'
    const twin = row && rows.escalations.openOf(row.id).find((open) => open.fingerprint === action && open.id !== own)
    if (twin) {
      rows.escalations.refresh(twin.id, turn.now)
      return 'alreadyOpen'
    }
    return row && rows.escalations.isSilenced(row.id, action, turn.now) ? 'dismissedBefore' : 'new'
  }
}

/** The user asked for exactly these effects, in words that they have confirmed. */
const isCovered = (task: Task, proposal: Proposal, policy: Policy): boolean =>
  task.intent === 'write' &&
  proposal.calls.length > 0 &&
  proposal.calls.every((call) =>
    task.effects.some(({ tool, target }) => tool === call.tool && target === policy.targetOf(call)),
  )
