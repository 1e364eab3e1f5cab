import { X } from 'lucide-react'
import { Time } from '../parts/time.tsx'
import type { Card } from '../rpc/methods.ts'
import { Prose } from '../text/prose.tsx'
import { useTexts } from '../texts/language.tsx'

/** Says who was first with cards that were shown here. */
export function AnsweredElsewhere({ cards, onClose }: { cards: readonly Card[]; onClose(): void }) {
  const { t } = useTexts()
  return (
    <div role="status" className="mb-4 flex items-start gap-3 rounded-xl bg-sunk px-4 py-3 text-sm">
      <ul className="flex-1 space-y-1">
        {cards.map((card) => (
          <li key={card.id}>
            <Prose most={120}>
              {t(card.state === 'approved' ? 'elsewhere.approved' : 'elsewhere.skipped', {
                title: card.title,
                by: card.answered_by ?? 'undermind',
              })}
            </Prose>{' '}
            {card.answered_at !== null && (
              <span className="text-soft">
                <Time at={card.answered_at} />
              </span>
            )}
          </li>
        ))}
      </ul>
      <button type="button" aria-label={t('close')} className="-m-1 rounded p-1" onClick={onClose}>
        <X aria-hidden className="size-4" />
      </button>
    </div>
  )
}
