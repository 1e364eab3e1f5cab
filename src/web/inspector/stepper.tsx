import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button } from '../parts/button.tsx'
import { useTexts } from '../texts/language.tsx'

interface Props {
  at: number
  count: number
  isLive: boolean
  onGo(index: number): void
}

/** Goes back and forth between the moments of a life. */
export function Stepper({ at, count, isLive, onGo }: Props) {
  const { t } = useTexts()
  return (
    <section aria-label={t('inspector.travel')} className="flex flex-wrap items-center gap-2">
      <Button disabled={at === 0} onClick={() => onGo(at - 1)}>
        <ChevronLeft aria-hidden className="size-4" />
        {t('inspector.previous')}
      </Button>
      <Button disabled={at === count - 1} onClick={() => onGo(at + 1)}>
        {t('inspector.next')}
        <ChevronRight aria-hidden className="size-4" />
      </Button>
      <input
        type="range"
        className="min-w-32 flex-1 accent-(--accent)"
        aria-label={t('inspector.step')}
        min={0}
        max={count - 1}
        value={at}
        onChange={(event) => onGo(Number(event.target.value))}
      />
      <span className="text-soft text-sm tabular-nums">
        {t('inspector.place', { at: at + 1, count })}
        {isLive && ` · ${t('inspector.following')}`}
      </span>
    </section>
  )
}
