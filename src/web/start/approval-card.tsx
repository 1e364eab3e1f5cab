import { useId } from 'react'
import { useAnswers } from '../data/answers.tsx'
import { Badge } from '../parts/badge.tsx'
import { Dot } from '../parts/dot.tsx'
import { Time } from '../parts/time.tsx'
import type { Card } from '../rpc/methods.ts'
import { useLink } from '../rpc/rpc-context.tsx'
import { Line, Prose } from '../text/prose.tsx'
import { useTexts } from '../texts/language.tsx'
import { CardAnswers } from './card-answers.tsx'
import { CardCalls } from './card-calls.tsx'
import { CardOrigin } from './card-origin.tsx'

interface Props {
  card: Card
  chosen: boolean
  /** Null where there are no others to answer it together with. */
  onChoose: ((chosen: boolean) => void) | null
}

/**
 * A card: what would be done, from data, first; then what led to it; the model's words below, marked as such. Once it is
 * answered only a line of it is left, until the answer is known to count.
 */
export function ApprovalCard(props: Props) {
  const { card } = props
  const { given } = useAnswers()
  const answer = given.get(card.id)
  return answer === undefined ? <OpenCard {...props} /> : <Answered card={card} kind={answer.kind} />
}

function OpenCard({ card, chosen, onChoose }: Props) {
  const { t } = useTexts()
  const { refused } = useAnswers()
  const heading = useId()
  const why = refused.get(card.id)
  return (
    <article aria-labelledby={heading} className="sheet overflow-hidden border-l-4 border-l-amber">
      <div className="space-y-4 px-4 py-4 sm:px-5">
        <header className="flex items-start gap-3">
          {onChoose !== null && mayBeAnsweredTogether(card) && (
            <input
              type="checkbox"
              className="mt-1 size-4 accent-(--accent)"
              aria-label={t('together.choose', { title: card.task_title })}
              checked={chosen}
              onChange={(event) => onChoose(event.target.checked)}
            />
          )}
          <div className="min-w-0 flex-1">
            <h3 id={heading} className="font-semibold">
              <Prose most={200}>{card.task_title}</Prose>
            </h3>
            <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-soft text-sm">
              {card.priority !== 'normal' && (
                <Badge tone={card.priority === 'critical' ? 'coral' : 'plain'}>{t(`priority.${card.priority}`)}</Badge>
              )}
              {card.external && <Badge tone="amber">{t('card.external')}</Badge>}
              <span>
                <Time at={card.created_at} /> · {t('card.expires')} <Time at={card.expires_at} />
              </span>
            </p>
          </div>
        </header>
        {card.kind !== 'proposal' && (
          <p className="rounded-lg bg-amber-wash px-3 py-2 text-amber-ink text-sm">{t(`card.kind.${card.kind}`)}</p>
        )}
        <CardCalls card={card} />
        <CardOrigin found={card.provenance} />
        <section className="border-line border-l-2 pl-3 text-sm">
          <h4 className="text-soft text-xs">{t(card.kind === 'confirmWrite' ? 'card.about' : 'card.modelWords')}</h4>
          <p>
            <Prose most={300}>{card.title}</Prose>
          </p>
          {card.summary !== '' && card.summary !== card.title && (
            <p className="text-soft">
              <Prose most={300}>{card.summary}</Prose>
            </p>
          )}
        </section>
        {why !== undefined && (
          <p role="alert" className="rounded-lg bg-coral-wash px-3 py-2 text-coral-ink text-sm">
            <Prose>{why}</Prose>
          </p>
        )}
        <CardAnswers card={card} />
      </div>
    </article>
  )
}

function Answered({ card, kind }: { card: Card; kind: 'approve' | 'dismiss' | 'respond' | 'resolve' }) {
  const { t } = useTexts()
  const isAway = useLink() !== 'open'
  return (
    <div role="status" className="sheet flex items-center gap-3 px-5 py-3 text-sm">
      <Dot state={kind === 'dismiss' ? 'dismissed' : 'inProgress'} />
      <span className="min-w-0 flex-1">
        <Line>{card.task_title}</Line>
      </span>
      <span className="text-soft">{t(isAway ? 'given.whenBack' : `given.${kind}`)}</span>
    </div>
  )
}

/** A card that strangers had a part in is approved with others only where its targets stand on it. */
const mayBeAnsweredTogether = ({ kind, external, calls_shown: calls }: Card): boolean =>
  kind !== 'unknown' && (!external || (calls.length > 0 && calls.every(({ target }) => target !== '')))
