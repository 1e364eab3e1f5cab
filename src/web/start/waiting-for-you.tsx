import { useState } from 'react'
import { useAnsweredElsewhere } from '../data/answered-elsewhere.ts'
import { useAnswers } from '../data/answers.tsx'
import { useCards } from '../data/queries.ts'
import { Asked, Empty } from '../parts/asked.tsx'
import { Button } from '../parts/button.tsx'
import { focusHeading } from '../parts/focus.ts'
import { useNotices } from '../parts/notices.tsx'
import type { Card } from '../rpc/methods.ts'
import { useTexts } from '../texts/language.tsx'
import { AnsweredElsewhere } from './answered-elsewhere.tsx'
import { ApprovalCard } from './approval-card.tsx'

const shownAtFirst = 5

/** Everything that waits for the user's answer, in one list, newest first; those of a full day come last. */
export function WaitingForYou() {
  const { t } = useTexts()
  const query = useCards()
  const [gone, forget] = useAnsweredElsewhere(query.data)
  return (
    <section aria-labelledby="waiting">
      <h2 id="waiting" tabIndex={-1} className="mb-3 font-semibold text-lg">
        {t('waiting.title')}
      </h2>
      {gone.length > 0 && <AnsweredElsewhere cards={gone} onClose={forget} />}
      <Asked query={query}>
        {(cards) => (cards.length === 0 ? <Empty>{t('waiting.nothing')}</Empty> : <Cards cards={inOrder(cards)} />)}
      </Asked>
    </section>
  )
}

const inOrder = (cards: readonly Card[]): Card[] => [
  ...cards.filter(({ bundled }) => !bundled),
  ...cards.filter(({ bundled }) => bundled),
]

function Cards({ cards }: { cards: readonly Card[] }) {
  const { t } = useTexts()
  const [isUnfolded, setUnfolded] = useState(false)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const shown = isUnfolded ? cards : cards.slice(0, shownAtFirst)
  const rest = cards.length - shown.length
  const choose = (id: string, isChosen: boolean) => {
    const now = new Set(chosen)
    if (isChosen) now.add(id)
    else now.delete(id)
    setChosen(now)
  }
  return (
    <>
      <ul className="space-y-4">
        {shown.map((card) => (
          <li key={card.id}>
            <ApprovalCard
              card={card}
              chosen={chosen.has(card.id)}
              onChoose={shown.length > 1 ? (isChosen) => choose(card.id, isChosen) : null}
            />
          </li>
        ))}
      </ul>
      {(rest > 0 || isUnfolded) && cards.length > shownAtFirst && (
        <Button look="bare" className="mt-3" aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
          {isUnfolded ? t('waiting.fold') : t('waiting.more', { n: rest })}
        </Button>
      )}
      <Together cards={shown.filter(({ id }) => chosen.has(id))} onDone={() => setChosen(new Set())} />
    </>
  )
}

/** Answers several cards at once. */
function Together({ cards, onDone }: { cards: readonly Card[]; onDone(): void }) {
  const { t } = useTexts()
  const { give } = useAnswers()
  const { say } = useNotices()
  if (cards.length === 0) return null
  const all = async (kind: 'approve' | 'dismiss') => {
    onDone()
    focusHeading('waiting')
    const counted = await Promise.all(cards.map((card) => give(card, { kind })))
    const n = counted.filter(Boolean).length
    if (n > 0) say(t(kind === 'approve' ? 'answer.approvedSeveral' : 'answer.skippedSeveral', { n }))
  }
  return (
    <section
      aria-label={t('together')}
      className="sheet sticky bottom-4 z-10 mt-4 flex flex-wrap items-center gap-3 px-4 py-3 shadow-lg"
    >
      <span className="mr-auto font-medium text-sm">{t('together.chosen', { n: cards.length })}</span>
      <Button look="main" onClick={() => void all('approve')}>
        {t('answer.approve')}
      </Button>
      <Button onClick={() => void all('dismiss')}>{t('answer.skip')}</Button>
      <Button look="bare" onClick={onDone}>
        {t('cancel')}
      </Button>
    </section>
  )
}
