import type { ReactNode } from 'react'
import { moneyText } from '../../domain/money.ts'
import { Time } from '../parts/time.tsx'
import type { Status } from '../rpc/methods.ts'
import { Line } from '../text/prose.tsx'
import { visible } from '../text/visible.ts'
import { useTexts } from '../texts/language.tsx'

/** How everything stands, in one row, with an honest line on what it costs. */
export function StatusBar({ status }: { status: Status }) {
  const { t } = useTexts()
  const { usage } = status
  const next = status.instances.find(({ next_tick_at: at }) => at !== null)?.next_tick_at ?? null
  const failures = status.consecutive_failures
  return (
    <section aria-label={t('status')} className="sheet px-5 py-4">
      <dl className="flex flex-wrap gap-x-9 gap-y-4">
        <Fact name={t('status.tasks')}>{t('number', { count: status.task_count })}</Fact>
        <Fact name={t('status.ticks')}>{t('number', { count: status.total_ticks })}</Fact>
        <Fact name={t('status.lastTick')}>
          {status.last_tick_at === null ? t('never') : <Time at={status.last_tick_at} />}
        </Fact>
        {next !== null && (
          <Fact name={t('status.nextTick')}>
            <Time at={next} />
          </Fact>
        )}
        <Fact name={t('status.failures')}>
          {failures === 0 ? (
            t('none')
          ) : (
            <span className="font-semibold text-coral-ink">{t('status.inARow', { n: failures })}</span>
          )}
        </Fact>
        <Fact name={t('status.today')}>
          <span className="flex flex-wrap gap-x-2">
            <span>{t('usage.calls', { n: usage.calls })}</span>
            {usage.cost !== null && usage.calls > 0 && <span>· {moneyText(usage.cost)}</span>}
            {usage.failed_calls > 0 && (
              <span className="text-coral-ink">· {t('usage.failed', { n: usage.failed_calls })}</span>
            )}
            <span className="text-soft">· {t('usage.avoided', { n: usage.calls_avoided })}</span>
          </span>
        </Fact>
        <RouteFact name={t('status.model')} route={status.routes.find(({ stage }) => stage === 'judge')} />
        <RouteFact name={t('status.agent')} route={status.routes.find(({ stage }) => stage === 'tools')} />
      </dl>
    </section>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-soft text-xs">{name}</dt>
    <dd className="font-medium text-sm">{children}</dd>
  </div>
)

function RouteFact({ name, route }: { name: string; route: Status['routes'][number] | undefined }) {
  const { t } = useTexts()
  const { provider = '', model = '', route: way = 'local', available = false, reason = null } = route ?? {}
  const text = provider === model ? provider : `${provider} (${model})`
  return (
    <div className="min-w-0 max-w-56">
      <dt className="text-soft text-xs">{name}</dt>
      <dd
        className="flex items-baseline gap-1.5 font-medium text-sm"
        title={reason === null ? undefined : visible(reason)}
      >
        {available ? (
          <>
            <Line className="min-w-0">{text}</Line>
            <span className="font-normal text-soft text-xs">{t(way === 'local' ? 'route.local' : 'route.cloud')}</span>
          </>
        ) : (
          <span className="text-soft">{t('none')}</span>
        )}
      </dd>
    </div>
  )
}
