import { createActor, type EventObject } from 'xstate'
import { stateName } from '../actors/inspection.ts'
import { Fault } from '../domain/errors.ts'
import type { JournalRow } from '../domain/ledger.ts'
import { evaluation } from '../machines/evaluation.ts'
import type { EvaluationInput } from '../machines/evaluation-words.ts'

export interface ReplayStep {
  version: number
  at: number
  event: string
  /** The state that the journal has, and the one that the chart reaches from the journal's events. */
  recorded: string
  replayed: string
}

/**
 * Runs the chart again on the events in the journal, without any effect, and says where it leads; an evaluation replays
 * exactly, or the chart has changed since. Throws `replay/summarised` when only a summary was kept.
 */
export function replayEvaluation(journal: readonly JournalRow[]): ReplayStep[] {
  const first = journal[0]
  if (!first) throw new Fault('replay/no-journal', 'Nothing was kept of this evaluation.')
  const made = JSON.parse(first.event) as { type: string; input?: EvaluationInput }
  if (made.type === 'summary' || !made.input) {
    throw new Fault('replay/summarised', 'This evaluation is older than journal.keep_days: only a summary was kept.', {
      summary: made,
    })
  }
  const actor = createActor(evaluation, {
    input: made.input,
    clock: { setTimeout: () => 0, clearTimeout: () => {} },
  }).start()
  return journal.map(({ version, at, event, toState }, index) => {
    if (index > 0) actor.send(JSON.parse(event) as never)
    const replayed = stateName(actor.getSnapshot().value)
    return { version, at, event: (JSON.parse(event) as EventObject).type, recorded: toState, replayed }
  })
}
