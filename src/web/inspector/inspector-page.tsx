import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { Asked, Empty } from '../parts/asked.tsx'
import { PageHead } from '../parts/page-head.tsx'
import type { Actor } from '../rpc/inspector-methods.ts'
import { type Call, useCall } from '../rpc/rpc-context.tsx'
import { useTexts } from '../texts/language.tsx'
import { ActorTree } from './actor-tree.tsx'
import { ActorView } from './actor-view.tsx'
import { LatestEvaluations } from './latest-evaluations.tsx'
import { useSteps } from './use-steps.ts'

const mostActors = 500
const mostLatest = 30

/** Every actor as the state chart that it is: now, and at any step of its past. */
export function InspectorPage({ rest }: { rest: string }) {
  const { t } = useTexts()
  const call = useCall()
  const client = useQueryClient()
  const live = useQuery({ queryKey: ['inspector', 'actors'], queryFn: () => liveActors(call) })
  const latest = useQuery({
    queryKey: ['inspector', 'actors', 'latest'],
    queryFn: () => call('subconscious.log_list', { limit: mostLatest }, { repeatable: true }),
  })
  const onStep = useCallback(() => client.invalidateQueries({ queryKey: ['inspector', 'actors'] }), [client])
  useSteps(null, onStep)
  return (
    <>
      <PageHead title={t('page.inspector')} lead={t('inspector.lead')} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[17rem_minmax(0,1fr)]">
        <div className="space-y-5 lg:sticky lg:top-6">
          <Asked query={live}>{(actors) => <ActorTree actors={actors} open={rest} />}</Asked>
          <Asked query={latest}>{(rows) => <LatestEvaluations rows={rows} open={rest} />}</Asked>
        </div>
        {rest === '' ? <Empty>{t('inspector.choose')}</Empty> : <ActorView key={rest} id={rest} />}
      </div>
    </>
  )
}

/** Those that are not settled, page by page, since a page may be short. */
async function liveActors(call: Call): Promise<Actor[]> {
  const found: Actor[] = []
  let after: string | null = null
  do {
    const query = { limit: mostActors, ...(after !== null && { after }) }
    const page: { actors: Actor[]; next: string | null } = await call('inspector.actors', query, { repeatable: true })
    found.push(...page.actors)
    after = page.next
  } while (after !== null && found.length < mostActors)
  return found
}
