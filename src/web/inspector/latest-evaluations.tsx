import { Dot } from '../parts/dot.tsx'
import { hrefOf } from '../parts/place.ts'
import { Time } from '../parts/time.tsx'
import type { Row } from '../rpc/methods.ts'
import { Line } from '../text/prose.tsx'
import { useTexts } from '../texts/language.tsx'

/** The newest evaluations, ended ones too; older ones are found by the activity log. */
export function LatestEvaluations({ rows, open }: { rows: readonly Row[]; open: string }) {
  const { t } = useTexts()
  return (
    <nav aria-labelledby="latest">
      <h2 id="latest" className="mb-2 font-medium text-sm">
        {t('inspector.latest')}
      </h2>
      <ul className="sheet max-h-72 overflow-y-auto p-2">
        {rows.map(({ id, title, state, created_at: at }) => (
          <li key={id}>
            <a
              href={hrefOf('inspector', id)}
              aria-current={id === open ? 'true' : undefined}
              className={`flex items-center gap-2 rounded-lg px-2.5 py-1.5 text-sm ${
                id === open ? 'bg-wash' : 'hover:bg-sunk'
              }`}
            >
              <Dot state={state} className="size-2" />
              <span className="sr-only">{t(`stateName.${state}`)}: </span>
              <Line className="min-w-0 flex-1">{title}</Line>
              <span className="text-soft text-xs">
                <Time at={at} as="clock" />
              </span>
            </a>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-sm">
        <a href={hrefOf('activity')} className="text-accent underline underline-offset-2">
          {t('noticed.all')}
        </a>
      </p>
    </nav>
  )
}
