import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Clock, second } from '../../domain/clock.ts'
import type { News } from '../../domain/news.ts'
import type { Snake } from '../../rpc/snake.ts'
import { browserClock } from '../browser-clock.ts'
import { useConnection } from '../rpc/rpc-context.tsx'

export type HeardNews = Snake<News>

/** The first words of what is kept and no longer true after such news. */
const outdated: Readonly<Record<News['type'], readonly string[]>> = {
  evaluation: ['today', 'why', 'status'],
  agentRun: ['why'],
  card: ['cards', 'status', 'today'],
  task: ['tasks', 'status'],
  tick: ['status', 'usage'],
  world: ['status'],
  session: ['sessions'],
  'steering.directive': ['sessions'],
  notification: [],
  store: ['status'],
}

const newsMethod = 'events.news'
/** Shorter than anybody notices; longer than a tick of thousands takes to tell of the next one. */
const gatherTime = 120
const longestPause = 5 * second

/** Hears news as it comes. */
export function useNews(hear: (news: HeardNews) => void): void {
  const connection = useConnection()
  useEffect(
    () =>
      connection.hear((method, params) => {
        if (method === newsMethod) hear(params as HeardNews)
      }),
    [connection, hear],
  )
}

/** Asks anew for what news says is old, and for everything after the connection was away. */
export function useNewsUpkeep(): void {
  const connection = useConnection()
  const client = useQueryClient()
  useEffect(() => {
    const gather = gathered(browserClock, async (words) => {
      await client.invalidateQueries({ predicate: ({ queryKey }) => words.has(String(queryKey[0])) })
    })
    const stopHearing = connection.hear((method, params) => {
      if (method !== newsMethod) return
      const { type } = params as HeardNews
      for (const word of outdated[type] ?? []) gather.add(word)
    })
    const stopReopened = connection.onReopened(() => void client.invalidateQueries())
    return () => {
      stopHearing()
      stopReopened()
      gather.stop()
    }
  }, [connection, client])
}

/**
 * Gathers words for a moment and hands them on together. While they are being dealt with the next ones wait, so that a
 * flood of news neither starves an answer nor asks twice at a time.
 */
export function gathered(clock: Clock, handOn: (words: ReadonlySet<string>) => Promise<void>) {
  let words = new Set<string>()
  let isBusy = false
  let stopWait: (() => void) | null = null
  let pause = gatherTime
  const plan = () => {
    if (isBusy || stopWait !== null || words.size === 0) return
    stopWait = clock.wakeAt(clock.now() + pause, () => {
      stopWait = null
      const now = words
      words = new Set()
      isBusy = true
      const began = clock.now()
      const done = () => {
        isBusy = false
        // What takes long is asked for less often: the runtime has other things to do.
        pause = Math.max(gatherTime, Math.min(longestPause, 4 * (clock.now() - began)))
        plan()
      }
      handOn(now).then(done, done)
    })
  }
  return {
    add(word: string) {
      words.add(word)
      plan()
    },
    stop() {
      words.clear()
      stopWait?.()
      stopWait = null
    },
  }
}
