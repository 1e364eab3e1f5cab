import { useEffect, useRef } from 'react'
import { Time } from '../parts/time.tsx'
import { Line } from '../text/prose.tsx'
import { useTexts } from '../texts/language.tsx'
import type { Moment } from './moments.ts'

interface Props {
  moments: readonly Moment[]
  at: number
  onGo(index: number): void
}

/** Every step: what came, and the state it led to. */
export function StepList({ moments, at, onGo }: Props) {
  const { t } = useTexts()
  const here = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const entry = at >= 0 ? here.current?.parentElement : null
    if (entry != null && list.current !== null) {
      list.current.scrollTop = entry.offsetTop - list.current.clientHeight / 2
    }
  }, [at])
  return (
    <section aria-labelledby="steps" className="min-w-0">
      <h3 id="steps" className="mb-2 font-medium">
        {t('inspector.steps')}
      </h3>
      <ol ref={list} className="sheet relative max-h-96 overflow-y-auto p-1.5 text-sm">
        {moments.map((moment, index) => (
          <li key={moment.key}>
            <button
              type="button"
              ref={index === at ? here : null}
              aria-current={index === at ? 'step' : undefined}
              className={`flex w-full items-baseline gap-3 rounded-lg px-2.5 py-1.5 text-left ${
                index === at ? 'bg-wash' : 'hover:bg-sunk'
              }`}
              onClick={() => onGo(index)}
            >
              <span className="shrink-0 text-soft text-xs">
                <Time at={moment.at} as="clock" />
              </span>
              <Line className="min-w-0 flex-1 font-mono text-xs">{`${moment.event || '·'} → ${moment.to}`}</Line>
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}
