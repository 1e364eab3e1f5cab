import { useId, useState } from 'react'
import { moneyText } from '../../domain/money.ts'
import { useUsage } from '../data/queries.ts'
import { Asked, Empty } from '../parts/asked.tsx'
import { PageHead } from '../parts/page-head.tsx'
import type { Usage, UsageBy, UsageToday } from '../rpc/methods.ts'
import { useTexts } from '../texts/language.tsx'
import { DayChart } from './day-chart.tsx'
import { UsageTable } from './usage-table.tsx'

const kinds: readonly UsageBy[] = ['day', 'task', 'world', 'model', 'purpose']
const spans = [7, 30, 90] as const

/** What models were asked, and what it came to. */
export function UsagePage() {
  const { t } = useTexts()
  const form = useId()
  const [days, setDays] = useState<number>(spans[0])
  const [by, setBy] = useState<UsageBy>('day')
  return (
    <>
      <PageHead title={t('page.usage')} lead={t('usage.lead')}>
        <label htmlFor={`${form}-days`} className="sr-only">
          {t('usage.span')}
        </label>
        <select
          id={`${form}-days`}
          className="field"
          value={days}
          onChange={(event) => setDays(Number(event.target.value))}
        >
          {spans.map((span) => (
            <option key={span} value={span}>
              {t('usage.days', { n: span })}
            </option>
          ))}
        </select>
        <label htmlFor={`${form}-by`} className="sr-only">
          {t('usage.by')}
        </label>
        <select
          id={`${form}-by`}
          className="field"
          value={by}
          onChange={(event) => setBy(kinds.find((kind) => kind === event.target.value) ?? 'day')}
        >
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {t(`usage.by.${kind}`)}
            </option>
          ))}
        </select>
      </PageHead>
      <Asked query={useUsage(days, by)}>{(usage) => <Summary usage={usage} />}</Asked>
    </>
  )
}

function Summary({ usage }: { usage: Usage }) {
  const { t } = useTexts()
  return (
    <>
      <Today today={usage.today} />
      {usage.rows.length === 0 ? (
        <Empty>{t('usage.nothing')}</Empty>
      ) : (
        <>
          {usage.by === 'day' && <DayChart usage={usage} />}
          <UsageTable usage={usage} />
        </>
      )}
    </>
  )
}

function Today({ today }: { today: UsageToday }) {
  const { t } = useTexts()
  const { escalations, budget } = today
  const share = escalations.verdicts === 0 ? null : Math.round((100 * escalations.escalated) / escalations.verdicts)
  const facts: [string, string][] = [
    [t('usage.callsToday'), t('number', { count: today.calls })],
    [t('usage.tokens'), t('number', { count: today.prompt_tokens + today.completion_tokens })],
    [t('usage.money'), today.cost === null ? '–' : moneyText(today.cost)],
    [t('usage.callsAvoided'), t('number', { count: today.calls_avoided })],
    [t('usage.escalated'), share === null ? '–' : t('usage.share', { share, count: escalations.verdicts })],
  ]
  const { money, tokens } = budget ?? { money: null, tokens: null }
  if (money !== null) {
    facts.push([t('usage.budget'), t('usage.left', { left: moneyText(money.left), limit: moneyText(money.limit) })])
  }
  if (tokens !== null) facts.push([t('usage.tokenBudget'), t('usage.left', { left: tokens.left, limit: tokens.limit })])
  return (
    <dl className="sheet mb-6 flex flex-wrap gap-x-10 gap-y-4 px-5 py-4">
      {facts.map(([name, text]) => (
        <div key={name}>
          <dt className="text-soft text-xs">{name}</dt>
          <dd className="font-medium">{text}</dd>
        </div>
      ))}
    </dl>
  )
}
