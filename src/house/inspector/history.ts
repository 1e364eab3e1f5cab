import { type AnyMachineSnapshot, type EventObject, initialTransition, transition } from 'xstate'
import { stateName } from '../../actors/inspection.ts'
import { Fault } from '../../domain/errors.ts'
import type { EvaluationId } from '../../domain/ids.ts'
import type { JSONType } from '../../domain/json.ts'
import type { HistoryPage, HistoryQuery } from '../../rpc/inspector.ts'
import type { JournalStep } from '../../store/inspection.ts'
import { breathe } from '../slices.ts'
import type { Stores } from '../stores.ts'
import { chartOfKind } from './definition.ts'
import { type Show, showing, shown } from './shown.ts'

type Inspected = Pick<Stores, 'inspection' | 'evaluations'>

/** Of an evaluation whose actor is gone its row is left. */
export function kindOf({ inspection, evaluations }: Inspected, actor: string): string {
  const kind = inspection.actor(actor)?.kind
  if (kind !== undefined) return kind
  if (evaluations.get(actor as EvaluationId)) return 'evaluation'
  throw Fault.use('inspector/unknown-actor', `There is no actor ${actor}. Ticks leave when they have ended.`, { actor })
}

/** A page of an actor's journal, with its context after each step where that was asked for. */
export async function historyOf(
  stores: Inspected,
  { actor, fromVersion, snapshots, limit }: HistoryQuery,
): Promise<HistoryPage> {
  const kind = kindOf(stores, actor)
  const found = stores.inspection.journal(actor, fromVersion, limit + 1)
  const rows = found.slice(0, limit)
  const contexts = snapshots
    ? await contextsOf(kind, stores.inspection.journal(actor, 0, mostReplayed), fromVersion)
    : null
  const show = showing(mostOnPage)
  const steps: HistoryPage['steps'] = []
  for (const row of rows) {
    const { type, summary, data } = eventOf(row.event, show)
    const { seq, version, sender, fromState: from, toState: to, at } = row
    const snapshot = contexts?.get(version) ?? null
    steps.push({ seq, actor, kind, version, sender, event: type, data, from, to, at, summary, snapshot })
    if (steps.length % atOnce === 0) await breathe()
  }
  return { actor, kind, steps, next: found[limit]?.version ?? null }
}

/** Steps that are made ready in one go. */
const atOnce = 10
/** Characters of what a page's events carry, and of its contexts. */
const mostOnPage = 400_000
/** A longer journal is not run again: that would take everybody's time. */
const mostReplayed = 500

interface Told {
  type: string
  data: JSONType
  summary: HistoryPage['steps'][number]['summary']
}

/** The event of a row, with what it carries; of a summary, the states. */
export function eventOf(text: string, show: Show = shown): Told {
  const { type, ...carried } = JSON.parse(text) as EventObject & { states?: [string, number, string | null][] }
  if (type === 'summary' && carried.states) {
    return { type, data: null, summary: carried.states.map(([state, at, event]) => ({ state, at, event })) }
  }
  return { type, data: Object.keys(carried).length === 0 ? null : show(carried), summary: null }
}

/** The context after each step from a version on, as far as the chart leads where the journal says it led. */
async function contextsOf(
  kind: string,
  journal: readonly JournalStep[],
  fromVersion: number,
): Promise<Map<number, JSONType>> {
  const contexts = new Map<number, JSONType>()
  const show = showing(mostOnPage)
  const chart = chartOfKind(kind)
  let snapshot: AnyMachineSnapshot | null = null
  try {
    for (const { version, event: text, toState } of journal) {
      const event = JSON.parse(text) as EventObject & { input?: unknown }
      if (snapshot === null) {
        if (chart === undefined || event.type !== 'xstate.init') return contexts
        snapshot = initialTransition(chart, event.input)[0]
      } else if (chart !== undefined) snapshot = transition(chart, snapshot, event)[0]
      if (snapshot === null || stateName(snapshot.value) !== toState) return contexts
      if (version >= fromVersion) contexts.set(version, show(snapshot.context))
      if (version % atOnce === 0) await breathe()
    }
  } catch {
    // Another version of the chart wrote this. The states that the journal has are the truth; the contexts are an extra.
  }
  return contexts
}
