import type { News } from '../domain/news.ts'
import type { StepQuery, StepView } from './inspector.ts'

/** A way to a workspace's runtime: through the socket of a running daemon, or to one opened in this process. */
export interface Door extends AsyncDisposable {
  /** True when a daemon is at the other end. */
  readonly daemon: boolean
  /** Calls a method by name; throws the Fault that the other side threw, with its code. */
  call(method: string, params?: Record<string, unknown>): Promise<unknown>
  /** Hears of news from now on; returns a way to stop. */
  subscribe(listener: (news: News) => void): Promise<() => void>
  /** Hears of committed steps from now on, or of all after a number. */
  watch(query: StepQuery, listener: (step: StepView) => void): Promise<Watching>
}

/** Steps that are listened to. */
export interface Watching {
  /** The number after which it began. */
  from: number
  /** The newest step there was then. */
  head: number
  stop(): void
}
