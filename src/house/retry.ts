import type { ActorHost } from '../actors/actor-host.ts'
import { digestOf, fingerprintOf } from '../actors/digest.ts'
import { instanceId } from '../actors/heartbeat.ts'
import { Fault } from '../domain/errors.ts'
import type { Card, Proposal, ToolCall } from '../domain/escalation.ts'
import type { Evaluation } from '../domain/evaluation.ts'
import { type ActorId, type EvaluationId, type Ids, id } from '../domain/ids.ts'
import type { JournalRow } from '../domain/ledger.ts'
import type { EvaluationInput, Question } from '../machines/evaluation-words.ts'
import type { Stores } from './stores.ts'

export interface RetryParts {
  host: Pick<ActorHost, 'write'>
  stores: Stores
  ids: Ids
  journal(evaluation: EvaluationId): readonly JournalRow[]
}

/**
 * Asks again about an approved action that failed: a new evaluation with the same proposal, less the calls that went
 * through, and a card of its own; the failed one stays as it is. While that card waits, asking again returns it.
 * Throws `approval/unknown` and `approval/not-failed`.
 */
export function retryFailed(parts: RetryParts, given: string): Promise<EvaluationId> {
  const { host, stores, ids } = parts
  return host.write((turn) => {
    const card = stores.escalations.get(id<EvaluationId>(given))
    if (!card) {
      throw Fault.use('approval/unknown', `There is no card ${given}. undermind approvals list shows what waits.`, {
        id: given,
      })
    }
    const failed = stores.evaluations.get(card.id)
    if (card.state !== 'approved' || failed?.state !== 'failed') throw notFailed(card, whyNot(card, failed))
    const task = stores.tasks.get(card.task)
    if (!task || task.retired) throw notFailed(card, 'its task was deleted since')

    const former = formerRetry(stores, failed)
    if (former?.state === 'awaitingApproval') return former.id
    if (former) throw notFailed(card, `it was tried again as ${former.id}, which is ${former.state}`)

    const proposal = proposalOf(card, callsLeft(parts, card))
    const evaluation = ids.next<EvaluationId>('ev')
    const { from, through, tainted } = failed
    const instance = instanceId(card.world)
    const input: EvaluationInput = {
      id: evaluation,
      task: task.id,
      world: card.world,
      instance,
      tick: null,
      batch: 0,
      from,
      through,
      intent: task.intent,
      retryOf: failed.id,
      tainted,
    }
    const question: Question = {
      kind: card.kind === 'confirmWrite' ? 'confirmWrite' : 'proposal',
      proposal,
      digest: digestOf(evaluation, proposal),
      fingerprint: fingerprintOf(proposal),
    }
    const self = evaluation as string as ActorId
    turn.spawn(instance, 'evaluation', self, input)
    turn.tell(self, self, { type: 'ask', question })
    return evaluation
  })
}

/** What has come of asking before; a retry that was never carried out is as good as none. */
function formerRetry(stores: Stores, failed: Evaluation): Evaluation | undefined {
  const nothingCame: readonly Evaluation['state'][] = ['dismissed', 'superseded', 'cancelled', 'skipped']
  return stores.evaluations
    .log({ task: failed.task, since: failed.createdAt, limit: 500 })
    .find(({ retryOf, tick, state }) => retryOf === failed.id && tick === null && !nothingCame.includes(state))
}

const proposalOf = ({ title, summary, priority, provenance }: Card, calls: ToolCall[]): Proposal => ({
  title,
  summary,
  priority,
  calls,
  provenance,
})

/** A call that went through is never made again; how many did is in the journal. */
function callsLeft({ journal }: RetryParts, card: Card): ToolCall[] {
  if (card.calls.length <= 1) return card.calls
  const steps = journal(card.id).map(({ event, fromState }) => ({
    ...(JSON.parse(event) as { type: string; happened?: boolean }),
    fromState,
  }))
  if (steps.length === 0 || steps[0]?.type === 'summary') {
    throw notFailed(card, 'which of its calls went through is no longer kept')
  }
  const lastThought = steps.findLastIndex(({ fromState }) => fromState === 'inProgress.analysing')
  const done = steps
    .slice(lastThought + 1)
    .filter(({ type, happened }) => type === 'xstate.done.actor.carryOut' || (type === 'checked' && happened)).length
  return card.calls.slice(done)
}

function whyNot(card: Card, evaluation: Evaluation | undefined): string {
  if (card.state === 'open') return 'it still waits for your answer'
  return card.state === 'approved' ? `its action is ${evaluation?.state ?? 'no longer kept'}` : `it was ${card.state}`
}

const notFailed = (card: Card, why: string): Fault =>
  Fault.use(
    'approval/not-failed',
    `Cannot try this card again: ${why}. Only an approved action that failed can be tried again.`,
    { id: card.id, state: card.state },
  )
