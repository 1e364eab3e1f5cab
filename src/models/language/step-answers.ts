import type { Analysis, Execution } from '../../domain/decision.ts'
import type { JSONType } from '../../domain/json.ts'
import type { SituationReport } from '../../domain/report.ts'
import { valuesIn } from '../answer-values.ts'
import type { JSONObject } from '../json-value.ts'
import { sourceReader } from '../provenance.ts'
import { callsFrom, proposalFrom } from './proposals.ts'
import { recommendedAction } from './recommended-action.ts'

type Report = Pick<SituationReport, 'changes' | 'hasExternalContent'>

/** The text of an answer, in the form asked for or plain; undefined when there is none. */
export function textFrom(answer: string, { changes }: Report): Execution | undefined {
  const item = itemIn(answer, 'text')
  if (item === undefined) return looksLikeItem(answer) ? undefined : nonBlank({ text: answer.trim(), sources: [] })
  return nonBlank({ text: textOf(item.text), sources: sourceReader(changes)(item.sources) })
}

const nonBlank = (execution: Execution): Execution | undefined => (execution.text === '' ? undefined : execution)

/**
 * What an answer comes to: a result, or a proposal where it says so in the form asked for or recommends an action in its
 * text. Undefined when it comes to nothing. Takes the last words of an agent with tools as well.
 */
export function analysisFrom(answer: string, report: Report): Analysis | undefined {
  const item = itemIn(answer, 'kind') ?? itemIn(answer, 'text')
  if (item === undefined && looksLikeItem(answer)) return undefined
  const text = item === undefined ? answer.trim() : textOf(item.text)
  const sources = sourceReader(report.changes)(item?.sources)
  const tainted = report.hasExternalContent && { tainted: true }
  const [title, summary] = [textOf(item?.title), textOf(item?.summary)]
  const calls = callsFrom(item?.calls)
  const said = { priority: textOf(item?.priority), calls, sources }
  if ((isProposal(item) && `${title}${summary}${text}` !== '') || calls.length > 0) {
    const names = title || summary || firstLine(text) || calls.map(({ tool }) => tool).join(', ')
    const proposal = proposalFrom({ ...said, title: names, summary: summary || text || title }, report.changes)
    return { kind: 'proposal', proposal, ...(text !== '' && { text }), ...tainted }
  }
  const recommended = recommendedAction(text)
  if (recommended) {
    const { action, before, priority = said.priority } = recommended
    const proposal = proposalFrom({ ...said, priority, title: firstLine(action), summary: action }, report.changes)
    // Where the card has no room for all of the action, the log keeps the whole.
    const told = proposal.summary.endsWith('…') ? text : before
    return { kind: 'proposal', proposal, ...(told !== '' && { text: told }), ...tainted }
  }
  return text === '' ? undefined : { kind: 'result', text, sources, ...tainted }
}

const isProposal = (item: JSONObject | undefined): boolean => textOf(item?.kind).toLowerCase() === 'proposal'

const textOf = (value: JSONType | undefined): string => (typeof value === 'string' ? value.trim() : '')

const firstLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[-*+•]\s+|\d{1,3}[.)]\s+|#{1,6}\s+)/, '').trim())
    .find((line) => line !== '') ?? ''

/** The whole object of an answer that has the form asked for: with sources, or the answer's only content. */
function itemIn(answer: string, field: 'text' | 'kind'): JSONObject | undefined {
  const { reads } = valuesIn(answer, ({ value, open }) => open.length === 0 && !Array.isArray(value) && field in value)
  for (const { value } of reads)
    if (!Array.isArray(value) && ('sources' in value || looksLikeItem(answer))) return value
  return undefined
}

/** Whether an answer is JSON from its first character, or from the first of its code fence; no person is to read that. */
const looksLikeItem = (answer: string): boolean =>
  /^(?:`{3,}\s{0,4}(?:json)?\s{0,4})?[{[]\s{0,20}["{}[\]]/i.test(answer.trimStart().slice(0, 100))
