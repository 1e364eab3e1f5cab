import { ChevronRight } from 'lucide-react'
import { useToday } from '../data/queries.ts'
import { Asked, Empty } from '../parts/asked.tsx'
import { Dot } from '../parts/dot.tsx'
import { hrefOf } from '../parts/place.ts'
import { StateText } from '../parts/state-text.tsx'
import { Time } from '../parts/time.tsx'
import type { Row } from '../rpc/methods.ts'
import { Line } from '../text/prose.tsx'
import { useTexts } from '../texts/language.tsx'
import { useNow } from '../texts/use-now.ts'
import { type Entry, entriesOf } from './entries.ts'

/** What was found since the day began; that nothing was found is one folded line a tick. */
export function NoticedToday() {
  const { t } = useTexts()
  const now = useNow()
  return (
    <section aria-labelledby="noticed">
      <h2 id="noticed" className="mb-3 font-semibold text-lg">
        {t('noticed.title')}
      </h2>
      <Asked query={useToday(now)}>
        {(rows) => (rows.length === 0 ? <Empty>{t('noticed.nothing')}</Empty> : <Entries entries={entriesOf(rows)} />)}
      </Asked>
    </section>
  )
}

function Entries({ entries }: { entries: readonly Entry[] }) {
  const { t } = useTexts()
  return (
    <>
      <ul className="sheet divide-y divide-line">
        {entries.map((entry) => (
          <li key={entry.id} className="px-4 py-3">
            {entry.kind === 'row' ? <Noticed row={entry.row} /> : <Quiet rows={entry.rows} />}
          </li>
        ))}
      </ul>
      <p className="mt-3 text-sm">
        <a href={hrefOf('activity')} className="text-accent underline underline-offset-2">
          {t('noticed.all')}
        </a>
      </p>
    </>
  )
}

function Noticed({ row }: { row: Row }) {
  return (
    <div className="flex items-start gap-3">
      <Dot state={row.state} className="mt-1.5" />
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline justify-between gap-3">
          <a href={hrefOf('activity', row.id)} className="min-w-0 font-medium text-sm hover:underline">
            <Line>{row.title}</Line>
          </a>
          <span className="shrink-0 text-soft text-xs">
            <Time at={row.settled_at ?? row.created_at} as="clock" />
          </span>
        </div>
        <div className="text-sm">
          <StateText row={row} most={280} />
        </div>
      </div>
    </div>
  )
}

function Quiet({ rows }: { rows: readonly Row[] }) {
  const { t } = useTexts()
  const [first] = rows
  return (
    <details className="group text-soft text-sm">
      <summary className="flex list-none items-center gap-3 rounded">
        <Dot state="skipped" />
        <span className="flex-1">{t('noticed.quiet', { n: rows.length })}</span>
        <ChevronRight aria-hidden className="size-4 transition-transform group-open:rotate-90" />
        {first !== undefined && (
          <span className="text-xs">
            <Time at={first.settled_at ?? first.created_at} as="clock" />
          </span>
        )}
      </summary>
      <ul className="mt-2 space-y-1 pl-5.5">
        {rows.map(({ id, title, reason }) => (
          <li key={id}>
            <Line className="text-ink">{title}</Line>
            {reason !== null && reason !== '' && <Line>{reason}</Line>}
          </li>
        ))}
      </ul>
    </details>
  )
}
