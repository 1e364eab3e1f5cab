import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { Asked, Empty } from '../parts/asked.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { useCall } from '../rpc/rpc-context.tsx'
import { useTexts } from '../texts/language.tsx'
import { ActorTree } from './actor-tree.tsx'
import { ActorView } from './actor-view.tsx'
import { useSteps } from './use-steps.ts'

const mostActors = 500

/** Every actor as the state chart that it is: now, and at any step of its past. */
export function InspectorPage({ rest }: { rest: string }) {
  const { t } = useTexts()
  const call = useCall()
  const client = useQueryClient()
  const [settled, setSettled] = useState(false)
  const query = useQuery({
    queryKey: ['inspector', 'actors', settled],
    queryFn: () => call('inspector.actors', { settled, limit: mostActors }, { repeatable: true }),
    placeholderData: (before) => before,
  })
  const onStep = useCallback(() => client.invalidateQueries({ queryKey: ['inspector', 'actors'] }), [client])
  useSteps(null, onStep)
  return (
    <>
      <PageHead title={t('page.inspector')} lead={t('inspector.lead')} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[17rem_minmax(0,1fr)]">
        <section aria-label={t('inspector.actors')} className="lg:sticky lg:top-6">
          <label className="mb-2 flex items-center gap-2 text-sm">
            <input
              type="checkbox"
              className="size-4 accent-(--accent)"
              checked={settled}
              onChange={(event) => setSettled(event.target.checked)}
            />
            {t('inspector.settledToo')}
          </label>
          <Asked query={query}>{({ actors }) => <ActorTree actors={actors} open={rest} />}</Asked>
        </section>
        {rest === '' ? <Empty>{t('inspector.choose')}</Empty> : <ActorView key={rest} id={rest} />}
      </div>
    </>
  )
}
