import { asFault } from '../../rpc/wire-error.ts'
import type { Row, RowState } from '../rpc/methods.ts'
import type { Call } from '../rpc/rpc-context.tsx'
import type { HeardNews } from './news-upkeep.ts'

export interface FeedFilter {
  state?: RowState
  task?: string
}

export interface FeedView {
  /** Newest first. */
  rows: readonly Row[]
  /** False once the oldest row is there. */
  hasMore: boolean
  isLoading: boolean
  failure: string | null
}

const pageSize = 500
/** Who has come far down a long log wants to go further: pages are then asked for several at a time. */
const mostPages = 8
/** What is asked for when news came. With more news than this the feed begins again at its newest page. */
const newestSize = 100

/** The activity log as far as it was looked at, kept up with news. */
export class LogFeed {
  readonly #call: Call
  readonly #filter: FeedFilter
  readonly #watchers = new Set<() => void>()
  #view: FeedView = { rows: [], hasMore: true, isLoading: true, failure: null }
  /** Counts beginnings: what was asked for before the last one is no longer wanted. */
  #round = 0

  constructor(call: Call, filter: FeedFilter) {
    this.#call = call
    this.#filter = filter
  }

  get view(): FeedView {
    return this.#view
  }

  watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => void this.#watchers.delete(watcher)
  }

  /** Begins again with the newest page. */
  async begin(): Promise<void> {
    this.#round++
    this.#show({ isLoading: true })
    await this.#load(undefined)
  }

  async loadMore(): Promise<void> {
    const { isLoading, hasMore, rows } = this.#view
    const last = rows.at(-1)
    if (isLoading || !hasMore || last === undefined) return
    this.#show({ isLoading: true })
    await this.#load(last)
  }

  /** Takes up what happened to these evaluations. */
  async keepUp(changed: ReadonlyMap<string, HeardNews & { type: 'evaluation' }>): Promise<void> {
    if (this.#view.isLoading && this.#view.rows.length === 0) return
    const round = this.#round
    const newest = await this.#ask(newestSize)
    const asked = new Set(newest.map(({ id }) => id))
    const loaded = new Set(this.#view.rows.map(({ id }) => id))
    const later = [...changed.keys()].filter((id) => loaded.has(id) && !asked.has(id))
    const moved = await Promise.all(later.map((id) => this.#askOne(id)))
    if (round !== this.#round) return
    this.#show({ rows: merged(this.#view.rows, newest, moved, this.#filter) })
    if (newest.length === newestSize && !newest.some(({ id }) => loaded.has(id))) await this.begin()
  }

  async #load(after: Row | undefined): Promise<void> {
    const round = this.#round
    const pages = Math.min(mostPages, 1 + Math.floor(this.#view.rows.length / 2000))
    try {
      const more: Row[] = []
      let hasMore = true
      for (let n = 0; n < (after === undefined ? 1 : pages) && hasMore; n++) {
        const page = await this.#ask(pageSize, (more.at(-1) ?? after)?.id)
        if (round !== this.#round) return
        more.push(...page)
        hasMore = page.length === pageSize
      }
      const before = after === undefined ? [] : this.#view.rows
      this.#show({ rows: [...before, ...more], hasMore, isLoading: false, failure: null })
    } catch (error) {
      if (round === this.#round) this.#show({ isLoading: false, hasMore: false, failure: asFault(error).message })
    }
  }

  #ask(limit: number, before?: string): Promise<Row[]> {
    const query = { ...this.#filter, limit, ...(before !== undefined && { before }) }
    return this.#call('subconscious.log_list', query, { repeatable: true })
  }

  async #askOne(id: string): Promise<Row> {
    const { evaluation, task } = await this.#call('subconscious.why', { evaluation: id }, { repeatable: true })
    return { ...evaluation, title: task?.title ?? evaluation.task }
  }

  #show(change: Partial<FeedView>): void {
    this.#view = { ...this.#view, ...change }
    for (const watcher of this.#watchers) watcher()
  }
}

function merged(rows: readonly Row[], newest: readonly Row[], moved: readonly Row[], filter: FeedFilter): Row[] {
  const now = new Map([...newest, ...moved].map((row) => [row.id, row]))
  const oldestOfNewest = newest.at(-1)
  const isAmongNewest = (row: Row) => oldestOfNewest !== undefined && row.created_at >= oldestOfNewest.created_at
  // What is as new as the newest page and not on it has left the filter.
  const rest = rows.filter((row) => !newest.some(({ id }) => id === row.id) && !(leaves(filter) && isAmongNewest(row)))
  return [...newest, ...rest.map((row) => now.get(row.id) ?? row)].filter(
    (row) => filter.state === undefined || row.state === filter.state,
  )
}

const leaves = ({ state }: FeedFilter): boolean => state !== undefined
