import { describe, expect, it } from 'vitest'
import { logRow } from '../../src/rpc/rows.ts'
import { LogFeed } from '../../src/web/data/log-feed.ts'
import type { HeardNews } from '../../src/web/data/news-upkeep.ts'
import type { LogQuery, Row, RowState } from '../../src/web/rpc/methods.ts'
import type { Call } from '../../src/web/rpc/rpc-context.tsx'
import { evaluation } from '../rpc/samples.ts'

const row = (n: number, change: Partial<Row> = {}): Row => ({
  ...(logRow(evaluation) as Row),
  id: `ev_${n}`,
  created_at: n,
  ...change,
})

type Change = HeardNews & { type: 'evaluation' }

/** A log of rows, newest first, that answers as the runtime does. */
function scene(rows: Row[], filter: { state?: RowState } = {}) {
  let asked = 0
  const answer = (method: string, params: object): unknown => {
    asked++
    if (method === 'subconscious.why') {
      const { evaluation: of } = params as { evaluation: string }
      const found = rows.find(({ id }) => id === of)
      return { evaluation: found, task: { title: found?.title } }
    }
    const { before, state, limit } = params as LogQuery
    const from = before === undefined ? 0 : rows.findIndex(({ id }) => id === before) + 1
    return rows
      .slice(from)
      .filter((one) => state === undefined || one.state === state)
      .slice(0, limit)
  }
  const call = ((method, params) => Promise.resolve(answer(method, params))) as Call
  const feed = new LogFeed(call, filter)
  return {
    feed,
    rows,
    ids: () => feed.view.rows.map(({ id }) => id),
    asked: () => asked,
    tell: (...ids: string[]) => feed.keepUp(new Map(ids.map((id) => [id, { type: 'evaluation', id } as Change]))),
  }
}

const down = (from: number, to: number): Row[] => Array.from({ length: from - to + 1 }, (_, n) => row(from - n))

describe('the feed of the activity log', () => {
  it('begins with the newest page and goes on to the last row', async () => {
    const { feed, ids } = scene(down(1200, 1))
    await feed.begin()
    expect(ids()).toHaveLength(500)
    expect(feed.view.hasMore).toBe(true)
    await feed.loadMore()
    await feed.loadMore()
    expect(ids()).toHaveLength(1200)
    expect(feed.view).toMatchObject({ hasMore: false, isLoading: false })
    expect(new Set(ids()).size).toBe(1200)
  })

  it('takes new rows in above, and what became of known ones in their place', async () => {
    const { feed, rows, ids, tell } = scene([row(2, { state: 'inProgress' }), row(1)])
    await feed.begin()
    rows[0] = row(2, { state: 'failed' })
    rows.unshift(row(3))
    await tell('ev_3', 'ev_2')
    expect(ids()).toEqual(['ev_3', 'ev_2', 'ev_1'])
    expect(feed.view.rows[1]?.state).toBe('failed')
  })

  it('asks for an old row by itself, where that is what moved', async () => {
    const { feed, rows, tell } = scene(down(300, 1))
    await feed.begin()
    rows[299] = row(1, { state: 'dismissed' })
    await tell('ev_1')
    expect(feed.view.rows.at(-1)?.state).toBe('dismissed')
    expect(feed.view.rows).toHaveLength(300)
  })

  it('lets go of what has left its filter', async () => {
    const waiting = [row(3), row(2), row(1)].map((one) => ({ ...one, state: 'awaitingApproval' as const }))
    const { feed, rows, ids, tell } = scene(waiting, { state: 'awaitingApproval' })
    await feed.begin()
    rows[1] = { ...row(2), state: 'acted' }
    await tell('ev_2')
    expect(ids()).toEqual(['ev_3', 'ev_1'])
  })

  it('begins again where more is new than it asks for at a time, so that no row is left out', async () => {
    const { feed, rows, ids, tell } = scene(down(10, 1))
    await feed.begin()
    rows.unshift(...down(400, 11))
    await tell('ev_400')
    expect(ids()).toEqual(down(400, 1).map(({ id }) => id))
  })

  it('says why it has no rows', async () => {
    const call = (() => Promise.reject(new Error('The store is gone.'))) as Call
    const feed = new LogFeed(call, {})
    await feed.begin()
    expect(feed.view).toMatchObject({ failure: 'The store is gone.', isLoading: false, rows: [] })
  })
})
