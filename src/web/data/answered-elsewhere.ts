import { useEffect, useRef, useState } from 'react'
import type { Card } from '../rpc/methods.ts'
import { useCall } from '../rpc/rpc-context.tsx'
import { useAnswers } from './answers.tsx'

/** Cards that were shown here and have been answered somewhere else since, so that nobody wonders where they went. */
export function useAnsweredElsewhere(cards: readonly Card[] | undefined): [readonly Card[], () => void] {
  const call = useCall()
  const { isOurs } = useAnswers()
  const shown = useRef<ReadonlySet<string>>(new Set())
  const [gone, setGone] = useState<readonly Card[]>([])

  useEffect(() => {
    if (cards === undefined) return
    const now = new Set(cards.map(({ id }) => id))
    const left = [...shown.current].filter((id) => !now.has(id))
    shown.current = now
    for (const id of left) {
      call('subconscious.escalations_get', { id }, { repeatable: true }).then(
        (card) => {
          const isAnswered = card.state === 'approved' || card.state === 'dismissed'
          if (isAnswered && !isOurs(card)) setGone((before) => [...before, card])
        },
        // Whatever became of it, it waits no more.
        () => {},
      )
    }
  }, [cards, call, isOurs])
  return [gone, () => setGone([])]
}
