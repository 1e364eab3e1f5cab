import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { Asked } from '../parts/asked.tsx'
import { Badge } from '../parts/badge.tsx'
import type { Actor, HistoryStep } from '../rpc/inspector-methods.ts'
import { type Call, useCall } from '../rpc/rpc-context.tsx'
import { Prose } from '../text/prose.tsx'
import { useTexts } from '../texts/language.tsx'
import { Chart } from './chart.tsx'
import { litStates, type Moment, momentsOf } from './moments.ts'
import { SequenceView } from './sequence-view.tsx'
import { SnapshotView } from './snapshot-view.tsx'
import { StepList } from './step-list.tsx'
import { Stepper } from './stepper.tsx'
import { useSteps } from './use-steps.ts'

const mostSteps = 500

/** One actor: its chart with the states lit that it is in, and its life step by step. */
export function ActorView({ id }: { id: string }) {
  const call = useCall()
  const client = useQueryClient()
  const key = ['inspector', 'actor', id]
  const actor = useQuery({
    queryKey: key,
    queryFn: () => call('inspector.actor', { id }, { repeatable: true }),
  })
  const history = useQuery({
    queryKey: [...key, 'history'],
    queryFn: () => newestSteps(call, id),
  })
  const onStep = useCallback(() => client.invalidateQueries({ queryKey: ['inspector', 'actor', id] }), [client, id])
  useSteps(id, onStep)
  return (
    <div className="min-w-0 space-y-5">
      <Asked query={actor}>
        {(now) => (
          <>
            <Head actor={now} />
            <Asked query={history}>{(steps) => <Life actor={now} moments={momentsOf(steps)} />}</Asked>
          </>
        )}
      </Asked>
      <SequenceView actor={id} />
    </div>
  )
}

/** The last steps of a life, which may be long. */
async function newestSteps(call: Call, id: string): Promise<HistoryStep[]> {
  const again = { repeatable: true }
  const { version } = await call('inspector.actor', { id }, again)
  const from = Math.max(0, version - mostSteps + 1)
  const query = { actor: id, from_version: from, snapshots: true, limit: mostSteps }
  return (await call('inspector.history', query, again)).steps
}

function Head({ actor }: { actor: Actor }) {
  const { t } = useTexts()
  return (
    <header>
      <h2 className="font-semibold text-lg">
        <Prose most={200}>{actor.title ?? actor.id}</Prose>
      </h2>
      <p className="mt-1 flex flex-wrap items-center gap-2 text-soft text-sm">
        <Badge>{actor.kind}</Badge>
        <span className="font-mono text-xs">
          <Prose most={120}>{actor.id}</Prose>
        </span>
        <span>{t(actor.settled ? 'inspector.settled' : 'inspector.live')}</span>
      </p>
    </header>
  )
}

/** Its life: the newest moment, as it comes, or the one that was chosen. */
function Life({ actor, moments }: { actor: Actor; moments: readonly Moment[] }) {
  const { t } = useTexts()
  const [chosen, setChosen] = useState<string | null>(null)
  const last = moments.length - 1
  const found = moments.findIndex(({ key }) => key === chosen)
  const at = found === -1 ? last : found
  const moment = moments[at]
  const state = moment?.to ?? actor.state
  // At the newest moment the page goes along with what comes.
  const choose = (index: number) => setChosen(index >= last ? null : (moments[Math.max(0, index)]?.key ?? null))
  return (
    <>
      {moments.length > 0 && (
        <Stepper at={at} count={moments.length} isLive={chosen === null && !actor.settled} onGo={choose} />
      )}
      <p role="status" className="text-sm">
        <span className="text-soft">{t('inspector.state')}: </span>
        <span className="font-medium font-mono">{state}</span>
      </p>
      <Chart kind={actor.kind} lit={litStates(state)} from={litStates(moment?.from ?? '')} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 xl:grid-cols-2">
        <StepList moments={moments} at={at} onGo={choose} />
        <SnapshotView snapshot={moment?.snapshot ?? null} before={moments[at - 1]?.snapshot ?? null} />
      </div>
    </>
  )
}
