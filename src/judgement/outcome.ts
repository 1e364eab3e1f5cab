import type { Change } from '../domain/change.ts'
import type { Analysis, Decision, Execution } from '../domain/decision.ts'
import type { JudgementCase } from './case.ts'

/** What a provider said of one case. */
export interface Outcome {
  decision: Decision['decision'] | 'failed'
  /** Keys of the case's own changes that the user would have heard of. */
  keys: string[]
  /** Places it named that the report does not have, or 1 when it surfaced something and named no place at all. */
  nowhere: number
  /** Whether an action was proposed; null when nobody looked deeper. */
  proposed: boolean | null
  /** What the user would have read, or why there is nothing to read. */
  text: string
}

/** What a decision led to, as far as it was followed. */
export interface Followed {
  execution?: Execution
  analysis?: Analysis
}

/**
 * What became of a case. `changes` are all those of the report. Those that belong to other cases of its batch count neither
 * for nor against it, being labelled for those; a decision that surfaces nothing but them is read as skip.
 */
export function outcomeOf(
  { changes: own }: JudgementCase,
  changes: readonly Change[],
  decision: Decision,
  followed: Followed,
): Outcome {
  const proposed = followed.analysis === undefined ? null : followed.analysis.kind === 'proposal'
  if (decision.decision === 'skip') return { decision: 'skip', keys: [], nowhere: 0, proposed, text: decision.reason }
  const text = textOf(decision, followed)
  const places = placesOf(decision, followed, text, changes)
  const ownKeys = new Set(own.map(({ key }) => key))
  const keys = [...places].filter((key) => ownKeys.has(key))
  const known = new Set(changes.map(({ key }) => key))
  const invented = [...places].filter((key) => !known.has(key)).length
  if (keys.length === 0 && places.size > invented) return { decision: 'skip', keys, nowhere: invented, proposed, text }
  return { decision: decision.decision, keys, nowhere: places.size === 0 ? 1 : invented, proposed, text }
}

/** What became of a case on which nothing was decided. */
export const failedOutcome = (why: string): Outcome => ({
  decision: 'failed',
  keys: [],
  nowhere: 0,
  proposed: null,
  text: why,
})

function textOf(decision: Decision, { execution, analysis }: Followed): string {
  if (analysis?.kind === 'proposal') return analysis.text ?? `${analysis.proposal.title}\n${analysis.proposal.summary}`
  const written = decision.decision === 'act' ? decision.text : undefined
  return analysis?.text ?? execution?.text ?? written ?? decision.reason
}

/** Where the sources point; when none was given, the changes that the text names; when it names none, the only one. */
function placesOf(
  decision: Exclude<Decision, { decision: 'skip' }>,
  { execution, analysis }: Followed,
  text: string,
  changes: readonly Change[],
): Set<string> {
  const further = analysis?.kind === 'proposal' ? analysis.proposal.provenance : analysis?.sources
  const sources = [...decision.sources, ...(execution?.sources ?? []), ...(further ?? [])]
  if (sources.length > 0) return new Set(sources.map(({ key }) => key))
  const named = changes.filter((change) => isNamed(change, text))
  if (named.length > 0) return new Set(named.map(({ key }) => key))
  const keys = new Set(changes.map(({ key }) => key))
  return keys.size === 1 ? keys : new Set()
}

/** A shorter title or line stands in a text by chance. */
const shortestTitle = 6
const shortestLine = 20

const isNamed = ({ key, title, added }: Change, text: string): boolean =>
  text.includes(key) ||
  (title.length >= shortestTitle && text.includes(title)) ||
  added.some((line) => line.trim().length >= shortestLine && text.includes(line.trim()))
