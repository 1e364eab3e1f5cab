import { useId, useState } from 'react'
import type { Answer } from '../data/answers.tsx'
import { Button } from '../parts/button.tsx'
import { focusHere } from '../parts/focus.ts'
import type { Card } from '../rpc/methods.ts'
import { Prose } from '../text/prose.tsx'
import { visible } from '../text/visible.ts'
import { useTexts } from '../texts/language.tsx'
import { callsOf, type Draft, draftsOf, isWellFormed } from './edited-calls.ts'

interface Props {
  card: Card
  onGive(answer: Answer): Promise<void>
  onClose(): void
}

/** Changes what the calls are handed, and goes ahead with that. Which calls they are stays as it is. */
export function CardEdit({ card, onGive, onClose }: Props) {
  const { t } = useTexts()
  const [drafts, setDrafts] = useState(() => draftsOf(card.calls))
  const change = (changed: number, text: string) =>
    setDrafts(drafts.map((draft, index) => (index === changed ? { ...draft, text } : draft)))
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault()
        void onGive({ kind: 'approve', calls: callsOf(card.calls, drafts) })
      }}
    >
      {drafts.map((draft, index) => (
        <Field
          key={`${draft.call} ${draft.name}`}
          draft={draft}
          tool={card.calls[draft.call]?.tool ?? ''}
          isFirst={index === 0}
          onChange={(text) => change(index, text)}
        />
      ))}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="main" disabled={!drafts.every(isWellFormed)}>
          {t('edit.approve')}
        </Button>
        <Button look="bare" onClick={onClose}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}

interface FieldProps {
  draft: Draft
  tool: string
  isFirst: boolean
  onChange(text: string): void
}

const mostLines = 12

function Field({ draft, tool, isFirst, onChange }: FieldProps) {
  const { t } = useTexts()
  const id = useId()
  const { name, text } = draft
  const isOdd = !isWellFormed(draft)
  const hidesSomething = visible(text) !== text
  return (
    <div>
      <label htmlFor={id} className="font-mono text-soft text-xs">
        {visible(tool)} · {visible(name)}
      </label>
      <textarea
        id={id}
        ref={isFirst ? focusHere : undefined}
        className="field block w-full text-sm"
        rows={Math.min(mostLines, Math.max(1, text.split('\n').length, Math.ceil(text.length / 70)))}
        value={text}
        aria-invalid={isOdd}
        aria-describedby={isOdd || hidesSomething ? `${id}-about` : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {(isOdd || hidesSomething) && (
        <p id={`${id}-about`} className={`mt-1 text-sm ${isOdd ? 'text-coral-ink' : 'text-amber-ink'}`}>
          {isOdd ? t('edit.notJson') : t('edit.hidden')}
          {hidesSomething && !isOdd && (
            <>
              {' '}
              <Prose most={300}>{text}</Prose>
            </>
          )}
        </p>
      )}
    </div>
  )
}
