import { Pause, Play } from 'lucide-react'
import type { ReactNode } from 'react'
import { useOrder } from '../data/orders.ts'
import { keys, useStatus } from '../data/queries.ts'
import { Asked } from '../parts/asked.tsx'
import { Button } from '../parts/button.tsx'
import { useNotices } from '../parts/notices.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Time } from '../parts/time.tsx'
import type { Status, World } from '../rpc/methods.ts'
import { useCall } from '../rpc/rpc-context.tsx'
import { Prose } from '../text/prose.tsx'
import { useTexts } from '../texts/language.tsx'
import { worldState } from './world-state.ts'

/** Everything that is watched. */
export function WorldsPage() {
  const { t } = useTexts()
  return (
    <>
      <PageHead title={t('page.worlds')} lead={t('worlds.lead')} />
      <Asked query={useStatus()}>
        {({ instances }) => (
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
            {instances.map((world) => (
              <li key={world.instance}>
                <WorldCard world={world} />
              </li>
            ))}
          </ul>
        )}
      </Asked>
    </>
  )
}

function WorldCard({ world }: { world: World }) {
  const { t } = useTexts()
  const heading = `world-${world.instance}`
  return (
    <article aria-labelledby={heading} className="sheet flex h-full flex-col px-5 py-4">
      <header className="flex items-baseline justify-between gap-3">
        <h2 id={heading} className="font-semibold">
          <Prose most={100}>{world.title}</Prose>
        </h2>
        <span className={`text-sm ${world.state === 'halted' ? 'text-coral-ink' : 'text-soft'}`}>
          {worldState(world.state, t)}
        </span>
      </header>
      <p className="mb-3 text-soft text-sm">
        <Prose most={300}>{world.description}</Prose>
      </p>
      {world.halted_reason !== null && (
        <p className="mb-3 rounded-lg bg-coral-wash px-3 py-2 text-coral-ink text-sm">
          <Prose most={300}>{world.halted_reason}</Prose>
        </p>
      )}
      <dl className="mb-4 grid grid-cols-2 gap-x-4 gap-y-2 text-sm sm:grid-cols-3">
        <Fact name={t('worlds.next')}>
          {world.next_tick_at === null ? t('worlds.onRequest') : <Time at={world.next_tick_at} />}
        </Fact>
        <Fact name={t('worlds.last')}>
          {world.last_tick_at === null ? t('never') : <Time at={world.last_tick_at} />}
        </Fact>
        <Fact name={t('worlds.every')}>
          {world.cadence_minutes === null ? t('worlds.onRequest') : t('minutes', { n: world.cadence_minutes })}
        </Fact>
        <Fact name={t('status.ticks')}>{t('number', { count: world.total_ticks })}</Fact>
        <Fact name={t('status.failures')}>
          {world.consecutive_failures === 0 ? (
            t('none')
          ) : (
            <span className="text-coral-ink">{t('status.inARow', { n: world.consecutive_failures })}</span>
          )}
        </Fact>
      </dl>
      <WorldOrders world={world} />
    </article>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="text-soft text-xs">{name}</dt>
    <dd>{children}</dd>
  </div>
)

function WorldOrders({ world: { instance, title, paused } }: { world: World }) {
  const { t } = useTexts()
  const call = useCall()
  const { say, complain } = useNotices()
  const turn = useOrder<boolean, Status>({
    key: keys.status,
    send: (order, toPaused) => order(toPaused ? 'subconscious.pause' : 'subconscious.resume', { kind: instance }),
    expect: (status, toPaused) => ({
      ...status,
      instances: status.instances.map((one) =>
        one.instance === instance ? { ...one, paused: toPaused, state: toPaused ? 'paused' : 'resting' } : one,
      ),
    }),
  })
  const runNow = () => {
    call('subconscious.trigger', { kind: instance }).then(() => say(t('worlds.running', { title })), complain)
  }
  const TurnIcon = paused ? Play : Pause
  return (
    <div className="mt-auto flex flex-wrap gap-2">
      <Button look="main" disabled={paused} onClick={runNow}>
        {t('worlds.runNow')}
        <span className="sr-only">: {title}</span>
      </Button>
      <Button disabled={turn.isPending} onClick={() => turn.mutate(!paused)}>
        <TurnIcon aria-hidden className="size-4" />
        {t(paused ? 'worlds.resume' : 'worlds.pause')}
        <span className="sr-only">: {title}</span>
      </Button>
    </div>
  )
}
