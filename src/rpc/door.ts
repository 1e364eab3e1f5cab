import type { News } from '../domain/news.ts'

/** A way to a workspace's runtime: through the socket of a running daemon, or to one opened in this process. */
export interface Door extends AsyncDisposable {
  /** True when a daemon is at the other end. */
  readonly daemon: boolean
  /** Calls a method by name; throws the Fault that the other side threw, with its code. */
  call(method: string, params?: Record<string, unknown>): Promise<unknown>
  /** Hears of news from now on; returns a way to stop. */
  subscribe(listener: (news: News) => void): Promise<() => void>
}
