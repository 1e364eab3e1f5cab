import type { ReactNode } from 'react'
import { moneyText } from '../../domain/money.ts'
import { answerer } from '../data/answers.tsx'
import { useWhy } from '../data/queries.ts'
import { Asked } from '../parts/asked.tsx'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { useNotices } from '../parts/notices.tsx'
import { hrefOf } from '../parts/place.ts'
import { placed } from '../parts/placed.ts'
import { Scroller } from '../parts/scroller.tsx'
import { stateText } from '../parts/state-text.tsx'
import { Time } from '../parts/time.tsx'
import type { Reason, Row } from '../rpc/methods.ts'
import { useCall } from '../rpc/rpc-context.tsx'
import { Found } from '../start/card-origin.tsx'
import { Prose } from '../text/prose.tsx'
import { useTexts } from '../texts/language.tsx'
import { seconds } from '../texts/times.ts'
import { ChangeView } from './change-view.tsx'

/** Why an evaluation came out as it did: its words, what it was judged on, what the model was asked, and the way it took. */
export function WhyPanel({ row }: { row: Row }) {
  const { t } = useTexts()
  return (
    <div className="space-y-4 px-4 pt-1 pb-5 text-sm sm:pl-9.5">
      <Words row={row} />
      {row.sources.length > 0 && (
        <Part title={t('why.sources')}>
          <ul className="space-y-2">
            {placed(row.sources).map(({ key, item }) => (
              <li key={key}>
                <Found found={item} />
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Asked query={useWhy(row.id)}>{(reason) => <Facts reason={reason} />}</Asked>
      <Orders row={row} />
    </div>
  )
}

/** Its own words, where it has more than the line above, and the model's reason. */
function Words({ row }: { row: Row }) {
  const { t } = useTexts()
  const text = stateText(row, t)
  const hasWords = row.state === 'acted' || row.state === 'failed'
  return (
    <>
      {hasWords && (
        <p className={row.state === 'failed' ? 'text-coral-ink' : ''}>
          <Prose most={1200}>{text}</Prose>
        </p>
      )}
      {row.reason !== null && row.reason !== '' && row.reason !== text && (
        <p className="text-soft">
          <Prose>{row.reason}</Prose>
        </p>
      )}
    </>
  )
}

function Facts({ reason }: { reason: Reason }) {
  const { t } = useTexts()
  const { changes, more_changes: more, card } = reason
  return (
    <>
      <Part title={t('why.changes')}>
        {changes.length === 0 && <p className="text-soft">{t('why.noChanges')}</p>}
        <ul className="space-y-2">
          {changes.map((change) => (
            <li key={change.seq}>
              <ChangeView change={change} />
            </li>
          ))}
        </ul>
        {more > 0 && <p className="mt-1 text-soft">{t('why.moreChanges', { n: more })}</p>}
      </Part>
      <Part title={t('why.call')}>
        <CallFacts call={reason.call} />
      </Part>
      {card !== null && card.answered_by !== null && card.answered_at !== null && (
        <p className="text-soft">
          {t('why.answered', { state: t(`cardState.${card.state}`), by: card.answered_by })}{' '}
          <Time at={card.answered_at} />
        </p>
      )}
    </>
  )
}

function CallFacts({ call }: { call: Reason['call'] }) {
  const { t, locale } = useTexts()
  if (call === null) return <p className="text-soft">{t('why.noCall')}</p>
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-mono text-xs">
          <Prose most={100}>{call.provider === call.model ? call.provider : `${call.provider} (${call.model})`}</Prose>
        </span>
        <Badge>{t(call.route === 'local' ? 'route.local' : 'route.cloud')}</Badge>
        <span className="text-soft">
          {t('why.tokens', { prompt: call.prompt_tokens, completion: call.completion_tokens })} ·{' '}
          {seconds(call.duration_ms, locale)}
          {call.cost !== null && ` · ${moneyText(call.cost)}`}
          {call.failed && ` · ${t('stateName.failed')}`}
        </span>
      </p>
      <details className="mt-1">
        <summary className="rounded text-accent">{t('why.answer')}</summary>
        <Scroller label={t('why.answer')} className="mt-1 max-h-80 p-3 font-mono text-xs">
          <Prose most={4000}>{answersOf(call.answer).join('\n\n')}</Prose>
        </Scroller>
      </details>
    </>
  )
}

/** Each answer as it reads; a machine's JSON is laid out. */
function answersOf(answer: string): string[] {
  try {
    const answers: unknown = JSON.parse(answer)
    return Array.isArray(answers) ? answers.map((one: unknown) => laidOut(one)) : [answer]
  } catch {
    return [answer]
  }
}

function laidOut(one: unknown): string {
  const text = typeof one === 'object' && one !== null && 'text' in one ? one.text : one
  if (typeof text !== 'string') return JSON.stringify(text, undefined, 2)
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

function Orders({ row }: { row: Row }) {
  const { t } = useTexts()
  const call = useCall()
  const { say, complain } = useNotices()
  const cancel = () =>
    call('subconscious.cancel', { evaluation: row.id, by: answerer }).then(() => say(t('state.cancelled')), complain)
  const again = () =>
    call('subconscious.escalations_retry', { id: row.id }).then(() => say(t('why.askedAgain')), complain)
  return (
    <div className="flex flex-wrap items-center gap-2">
      {row.state === 'inProgress' && (
        <Button look="danger" onClick={() => void cancel()}>
          {t('why.cancel')}
        </Button>
      )}
      {row.state === 'failed' && row.decision === 'escalate' && (
        <Button onClick={() => void again()}>{t('why.askAgain')}</Button>
      )}
      <a href={hrefOf('inspector', row.id)} className="rounded text-accent underline underline-offset-2">
        {t('why.inspect')}
      </a>
    </div>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h3 className="mb-1 text-soft text-xs">{title}</h3>
    {children}
  </section>
)
