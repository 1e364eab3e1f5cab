import { columnsOf } from './columns.ts'
import type { EvalView, FailureView, RatioView, ScoreView } from './eval-view.ts'
import { type Fact, factLines } from './fact-lines.ts'
import { count } from './numbers.ts'
import type { Page } from './page.ts'
import { printable, printableLine } from './printable.ts'
import { duration } from './times.ts'
import { wrapBehind } from './wrap.ts'

const percent = (share: number): string => `${Math.round(share * 100)} %`

/** "112 of 140, 80 % (73 to 86 %)". */
const inFull = ({ hits, of, share, low, high }: RatioView): string =>
  share === null
    ? 'nothing to count'
    : `${hits} of ${of}, ${percent(share)} (${Math.round(low * 100)} to ${percent(high)})`

const inShort = ({ share }: RatioView): string => (share === null ? '–' : percent(share))
const counted = ({ hits, of }: RatioView): string => (of === 0 ? '–' : `${hits}/${of}`)

/** How a model judged: a row for each kind of case, then everything together with the ranges of the shares. */
export const evalLines = (result: EvalView, page: Page): string[] => [
  ...columnsOf(
    ['kind', 'cases', 'right', 'precise', 'urgent', 'missed', 'asked', 'acted'],
    [
      ...result.kinds.map(({ kind, score }) => cellsOf(printableLine(kind), score)),
      ...result.languages.map(({ lang, score }) => cellsOf(`in ${printableLine(lang)}`, score)),
      cellsOf('all', result.total),
    ],
    page,
    0,
  ),
  '',
  ...factLines(factsOf(result), page),
]

const cellsOf = (name: string, score: ScoreView): string[] => [
  name,
  String(score.cases),
  inShort(score.right),
  inShort(score.precision),
  counted(score.urgent),
  counted(score.falseSkips),
  counted(score.needlessEscalations),
  counted(score.wrongActs),
]

const factsOf = ({ provider, model, cases, batch, stopped, total, cost, analysed }: EvalView): Fact[] => {
  const how = batch === 1 ? 'one at a time' : `up to ${batch} at a time`
  const tokens = cost.promptTokens + cost.completionTokens
  return [
    { name: 'Judged by', text: provider === model ? model : `${model} (${provider})` },
    { name: 'Cases', text: `${total.cases} of ${cases}, ${how}` },
    ...(stopped === null ? [] : [{ name: 'Ended early', text: stopped, isTrouble: true }]),
    { name: 'Right', text: inFull(total.right) },
    { name: 'Precise (surfaced)', text: inFull(total.precision) },
    { name: 'Urgent (caught)', text: inFull(total.urgent) },
    { name: 'Missed (skipped)', text: inFull(total.falseSkips) },
    { name: 'Asked (needlessly)', text: inFull(total.needlessEscalations) },
    { name: 'Acted (wrongly)', text: inFull(total.wrongActs) },
    { name: 'Escalated', text: inFull(total.escalations) },
    ...(analysed
      ? [
          { name: 'Proposals made', text: inFull(total.proposals) },
          { name: 'Needless proposals', text: inFull(total.needlessProposals) },
        ]
      : []),
    { name: 'Without a decision', text: String(total.failed) },
    {
      name: 'Calls',
      text: `${cost.calls}, of them ${count(cost.repairs, 'repair')}; ${count(cost.unreadable, 'answer')} could not be read`,
    },
    {
      name: 'Tokens',
      text: tokens === 0 ? 'none' : `${cost.promptTokens} of prompts, ${cost.completionTokens} of answers`,
    },
    {
      name: 'Time',
      text: `${duration(cost.totalMs)}; a call ${duration(cost.medianMs)}, 95 of 100 within ${duration(cost.p95Ms)}`,
    },
  ]
}

/** The cases that went wrong, with what was said and what a person would have said. */
export const failureLines = (failures: readonly FailureView[], page: Page): string[] =>
  failures.flatMap((one) => {
    const text = (name: string, what: string): string[] =>
      wrapBehind('    ', printable(`${name}: ${what}`), page.columns)
    const where = (keys: readonly string[]): string => (keys.length === 0 ? '' : ` (${keys.join(', ')})`)
    return [
      page.paint('bold', printableLine(`${one.id} [${one.kind}]: ${one.mistakes.join(', ')}`)),
      ...text('Task', one.title),
      ...text('Wanted', `${one.expected.join(' or ')}${where(one.must)}. ${one.why}`),
      ...text('Said', `${one.decision}${where(one.keys)}. ${one.said}`),
      '',
    ]
  })
