import { useId, useState } from 'react'
import type { Answer } from '../data/answers.tsx'
import { Button } from '../parts/button.tsx'
import { focusHere } from '../parts/focus.ts'
import { useTexts } from '../texts/language.tsx'

const longest = 10_000

/** A message back: what is proposed is thought over again. */
export function CardReply({ onGive, onClose }: { onGive(answer: Answer): Promise<void>; onClose(): void }) {
  const { t } = useTexts()
  const field = useId()
  const [text, setText] = useState('')
  return (
    <form
      className="space-y-2"
      onSubmit={(event) => {
        event.preventDefault()
        void onGive({ kind: 'respond', text: text.trim() })
      }}
    >
      <label htmlFor={field} className="text-soft text-sm">
        {t('reply.label')}
      </label>
      <textarea
        id={field}
        ref={focusHere}
        className="field w-full"
        rows={3}
        maxLength={longest}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="flex gap-2">
        <Button type="submit" look="main" disabled={text.trim() === ''}>
          {t('reply.send')}
        </Button>
        <Button look="bare" onClick={onClose}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}
