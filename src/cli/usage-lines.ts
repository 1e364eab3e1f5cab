import { moneyText } from '../domain/money.ts'
import { columnsOf } from './columns.ts'
import { type Fact, factLines } from './fact-lines.ts'
import { count } from './numbers.ts'
import type { Page } from './page.ts'
import { printableLine } from './printable.ts'
import { localTime } from './times.ts'
import type { UsageRow, UsageSummary, UsageSums, UsageToday } from './views.ts'

const number = (amount: number): string => amount.toLocaleString('en-US')

const noun = (amount: number, one: string): string => `${number(amount)} ${one}${amount === 1 ? '' : 's'}`

const tokensOf = ({ promptTokens, completionTokens }: Pick<UsageSums, 'promptTokens' | 'completionTokens'>): number =>
  promptTokens + completionTokens

/** What today came to, as "12 model calls (10 local, 2 cloud), 14,200 tokens, 0.03, 41 calls avoided". */
export const todayText = (today: UsageToday): string => {
  const { calls, localCalls, cloudCalls, failedCalls, cost, callsAvoided } = today
  const kinds = [
    ...(localCalls > 0 ? [`${number(localCalls)} local`] : []),
    ...(cloudCalls > 0 ? [`${number(cloudCalls)} cloud`] : []),
    ...(failedCalls > 0 ? [`${number(failedCalls)} failed`] : []),
  ]
  const asked =
    calls === 0
      ? ['no model calls']
      : [`${noun(calls, 'model call')} (${kinds.join(', ')})`, noun(tokensOf(today), 'token')]
  const money = cost === null ? [] : [moneyText(cost)]
  return [...asked, ...money, `${noun(callsAvoided, 'call')} avoided`].join(', ')
}

const budgetText = ({ budget }: UsageToday, now: number): string | null => {
  const money = budget?.money
  const tokens = budget?.tokens
  const parts = [
    ...(money ? [`${moneyText(money.left)} of ${moneyText(money.limit)}`] : []),
    ...(tokens ? [`${number(tokens.left)} of ${noun(tokens.limit, 'token')}`] : []),
  ]
  if (parts.length === 0) return null
  const refused = budget?.refusedUntil
  const goesOn = refused ? `; used up, cloud work goes on at ${localTime(refused, now)}` : ''
  return `${parts.join(' and ')} left today${goesOn}`
}

/** Lines on today that status has as well. */
export const todayFacts = (today: UsageToday, now: number): Fact[] => {
  const budget = budgetText(today, now)
  return [{ name: 'Today', text: todayText(today) }, ...(budget === null ? [] : [{ name: 'Budget', text: budget }])]
}

const escalationsText = ({ escalations: { verdicts, escalated } }: UsageToday): string =>
  verdicts === 0
    ? 'no verdicts in 7 days'
    : `${Math.round((100 * escalated) / verdicts)} % of ${noun(verdicts, 'verdict')} in 7 days`

const nameOf = ({ key, title }: UsageRow, by: UsageSummary['by']): string => {
  if (key === '') return by === 'task' ? '(no task)' : '(no world)'
  return printableLine(title ?? key)
}

const cellsOf = (row: UsageSums, callsAvoided: number | null): string[] => [
  number(row.calls),
  number(row.cloudCalls),
  number(row.failedCalls),
  number(tokensOf(row)),
  row.cost === null ? '-' : moneyText(row.cost),
  ...(callsAvoided === null ? [] : [number(callsAvoided)]),
]

/** Today first, then the last days told apart. */
export const usageLines = (summary: UsageSummary, page: Page): string[] => {
  const { today, by, rows, total, more } = summary
  const facts = [...todayFacts(today, page.now()), { name: 'Escalated', text: escalationsText(today) }]
  const showsAvoided = by === 'day' || by === 'world'
  const columns = [by, 'calls', 'cloud', 'failed', 'tokens', 'money', ...(showsAvoided ? ['avoided'] : [])]
  const sum = ['all', ...cellsOf(total, showsAvoided ? total.callsAvoided : null)]
  const span = summary.from === summary.to ? summary.to : `${summary.from} to ${summary.to}`
  if (rows.length === 0) return [...factLines(facts, page), '', `No model was asked: ${span}.`]
  return [
    ...factLines(facts, page),
    '',
    ...columnsOf(columns, [...rows.map((row) => [nameOf(row, by), ...cellsOf(row, row.callsAvoided)]), sum], page, 0),
    ...(more > 0 ? [page.paint('gray', `… ${count(more, 'more row')}`)] : []),
  ]
}
