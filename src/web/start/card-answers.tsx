import { useState } from 'react'
import { type Answer, useAnswers } from '../data/answers.tsx'
import { Button } from '../parts/button.tsx'
import { focusHeading, focusHere } from '../parts/focus.ts'
import { useNotices } from '../parts/notices.tsx'
import type { Card } from '../rpc/methods.ts'
import { useTexts } from '../texts/language.tsx'
import { CardEdit } from './card-edit.tsx'
import { CardReply } from './card-reply.tsx'

type Opened = 'edit' | 'reply'

/** The answers that a card takes. */
export function CardAnswers({ card }: { card: Card }) {
  const { t } = useTexts()
  const { give } = useAnswers()
  const { say } = useNotices()
  const [open, setOpen] = useState<Opened | null>(null)
  const [closed, setClosed] = useState<Opened | null>(null)
  const answer = async (given: Answer) => {
    // The card is about to go, and what had the focus with it.
    focusHeading('waiting')
    if (await give(card, given)) say(t(`said.${given.kind}`, { title: card.task_title.slice(0, 80) }))
  }
  const close = () => {
    setClosed(open)
    setOpen(null)
  }
  if (open === 'edit') return <CardEdit card={card} onGive={answer} onClose={close} />
  if (open === 'reply') return <CardReply onGive={answer} onClose={close} />
  if (card.kind === 'unknown') {
    return (
      <div className="flex flex-wrap gap-2">
        <Button look="main" onClick={() => void answer({ kind: 'resolve', happened: true })}>
          {t('answer.happened')}
        </Button>
        <Button onClick={() => void answer({ kind: 'resolve', happened: false })}>{t('answer.didNotHappen')}</Button>
      </div>
    )
  }
  const canBeEdited =
    card.kind === 'proposal' && card.calls.some(({ arguments: given }) => Object.keys(given).length > 0)
  return (
    <div className="flex flex-wrap gap-2">
      <Button look="main" onClick={() => void answer({ kind: 'approve' })}>
        {t('answer.approve')}
      </Button>
      {canBeEdited && (
        <Button ref={closed === 'edit' ? focusHere : null} onClick={() => setOpen('edit')}>
          {t('answer.edit')}
        </Button>
      )}
      <Button onClick={() => void answer({ kind: 'dismiss' })}>{t('answer.skip')}</Button>
      {card.kind === 'proposal' && (
        <Button look="bare" ref={closed === 'reply' ? focusHere : null} onClick={() => setOpen('reply')}>
          {t('answer.reply')}
        </Button>
      )}
    </div>
  )
}
