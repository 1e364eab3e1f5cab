import { useTexts } from '../texts/language.tsx'
import { fullTime, relativeTime, shortTime } from '../texts/times.ts'
import { useNow } from '../texts/use-now.ts'

interface Props {
  at: number
  /** `clock`: the time of day; otherwise how long ago or ahead it is. */
  as?: 'clock' | 'distance'
}

export function Time({ at, as = 'distance' }: Props) {
  const { locale } = useTexts()
  const now = useNow()
  const text = as === 'clock' ? shortTime(at, now, locale) : relativeTime(at, now, locale)
  return (
    <time dateTime={new Date(at).toISOString()} title={fullTime(at, locale)} className="whitespace-nowrap">
      {text}
    </time>
  )
}
