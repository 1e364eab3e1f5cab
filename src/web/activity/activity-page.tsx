import { useDeferredValue, useId, useMemo, useState } from 'react'
import { useTasks } from '../data/queries.ts'
import { useLogFeed } from '../data/use-log-feed.ts'
import { Empty, Trouble } from '../parts/asked.tsx'
import { PageHead } from '../parts/page-head.tsx'
import type { RowState } from '../rpc/methods.ts'
import { visible } from '../text/visible.ts'
import { useTexts } from '../texts/language.tsx'
import { holds } from './holds.ts'
import { LogList } from './log-list.tsx'

const states: readonly RowState[] = [
  'inProgress',
  'acted',
  'skipped',
  'awaitingApproval',
  'failed',
  'dismissed',
  'cancelled',
  'superseded',
]

const isState = (text: string): text is RowState => states.some((state) => state === text)

/** Every evaluation, newest first, as it happens. */
export function ActivityPage({ rest }: { rest: string }) {
  const { t } = useTexts()
  const form = useId()
  const tasks = useTasks().data ?? []
  const [state, setState] = useState('')
  const [task, setTask] = useState('')
  const [words, setWords] = useState('')
  const wanted = useDeferredValue(words.trim().toLowerCase())
  const feed = useLogFeed({ ...(isState(state) && { state }), ...(task !== '' && { task }) })
  const rows = useMemo(
    () => (wanted === '' ? feed.rows : feed.rows.filter((row) => holds(row, wanted))),
    [feed.rows, wanted],
  )
  return (
    <>
      <PageHead title={t('page.activity')} lead={t('activity.lead')} />
      <search className="mb-4 flex flex-wrap gap-3">
        <label htmlFor={`${form}-words`} className="sr-only">
          {t('activity.search')}
        </label>
        <input
          id={`${form}-words`}
          type="search"
          className="field min-w-40 flex-1"
          placeholder={t('activity.search')}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        <label htmlFor={`${form}-state`} className="sr-only">
          {t('activity.state')}
        </label>
        <select id={`${form}-state`} className="field" value={state} onChange={(event) => setState(event.target.value)}>
          <option value="">{t('activity.allStates')}</option>
          {states.map((one) => (
            <option key={one} value={one}>
              {t(`stateName.${one}`)}
            </option>
          ))}
        </select>
        <label htmlFor={`${form}-task`} className="sr-only">
          {t('activity.task')}
        </label>
        <select
          id={`${form}-task`}
          className="field max-w-64"
          value={task}
          onChange={(event) => setTask(event.target.value)}
        >
          <option value="">{t('activity.allTasks')}</option>
          {tasks.map(({ id, title }) => (
            <option key={id} value={id}>
              {visible(title.slice(0, 80))}
            </option>
          ))}
        </select>
      </search>
      {feed.failure !== null && <Trouble>{feed.failure}</Trouble>}
      {rows.length === 0 && !feed.isLoading && feed.failure === null && <Empty>{t('activity.nothing')}</Empty>}
      {/* Another filter is another list: nothing of the old one stays open. */}
      <LogList
        key={`${state} ${task}`}
        rows={rows}
        opened={rest}
        isLoading={feed.isLoading}
        hasMore={feed.hasMore}
        onEnd={feed.loadMore}
      />
    </>
  )
}
