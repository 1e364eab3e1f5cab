import { useStatus } from '../data/queries.ts'
import { Asked } from '../parts/asked.tsx'
import { useTexts } from '../texts/language.tsx'
import { NoticedToday } from './noticed-today.tsx'
import { Problems } from './problems.tsx'
import { StatusBar } from './status-bar.tsx'
import { WaitingForYou } from './waiting-for-you.tsx'

/** Two lists under one status bar. */
export function StartPage() {
  const { t } = useTexts()
  const status = useStatus()
  return (
    <>
      <h1 className="sr-only">{t('page.start')}</h1>
      <Asked query={status}>
        {(now) => (
          <>
            <StatusBar status={now} />
            <Problems status={now} />
          </>
        )}
      </Asked>
      <div className="mt-10 grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-10 xl:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)]">
        <WaitingForYou />
        <NoticedToday />
      </div>
    </>
  )
}
