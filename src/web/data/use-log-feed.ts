import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { browserClock } from '../browser-clock.ts'
import { useCall, useConnection } from '../rpc/rpc-context.tsx'
import { type FeedFilter, type FeedView, LogFeed } from './log-feed.ts'
import { gathered, type HeardNews, useNews } from './news-upkeep.ts'

/** The log through a filter, kept up with news and begun again after the connection was away. */
export function useLogFeed({ state, task }: FeedFilter): FeedView & { loadMore(): void } {
  const call = useCall()
  const connection = useConnection()
  const feed = useMemo(
    () => new LogFeed(call, { ...(state !== undefined && { state }), ...(task !== undefined && { task }) }),
    [call, state, task],
  )
  const upkeep = useMemo(() => {
    const changed = new Map<string, HeardNews & { type: 'evaluation' }>()
    const gather = gathered(browserClock, async () => {
      const now = new Map(changed)
      changed.clear()
      await feed.keepUp(now)
    })
    return {
      hear(news: HeardNews) {
        if (news.type !== 'evaluation') return
        changed.set(news.id, news)
        gather.add(news.type)
      },
      stop: gather.stop,
    }
  }, [feed])
  useNews(upkeep.hear)
  useEffect(() => {
    void feed.begin()
    const stopReopened = connection.onReopened(() => void feed.begin())
    return () => {
      stopReopened()
      upkeep.stop()
    }
  }, [feed, upkeep, connection])
  const view = useSyncExternalStore(feed.watch, () => feed.view)
  return { ...view, loadMore: () => void feed.loadMore() }
}
