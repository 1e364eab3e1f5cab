import type { News } from '../domain/news.ts'
import type { Door } from './door.ts'
import type { Feed } from './feed.ts'
import { gone } from './gone.ts'
import type { StepView } from './inspector.ts'
import { invoke } from './invoke.ts'
import { methods } from './methods/index.ts'
import type { Services } from './services.ts'

/** A door to a runtime in this process: the same methods, held to the same schemas, without a wire between. */
export function localDoor(services: Services, dispose: () => Promise<void>): Door {
  const stops = new Set<() => void>()
  let closing: Promise<void> | null = null
  const assertOpen = () => {
    if (closing) throw gone('The workspace was closed here')
  }
  return {
    daemon: false,
    async call(method, params = {}) {
      assertOpen()
      return invoke({ methods, services }, method, params, {})
    },
    async subscribe(listener: (news: News) => void) {
      assertOpen()
      const end = services.subscribe(listener)
      const stop = () => {
        stops.delete(stop)
        end()
      }
      stops.add(stop)
      return stop
    },
    async watch(query, listener) {
      assertOpen()
      const { feed, from, head } = services.inspector.steps(query)
      const end = drain(feed, listener)
      const stop = () => {
        stops.delete(stop)
        end()
      }
      stops.add(stop)
      return { from, head, stop }
    },
    [Symbol.asyncDispose]() {
      closing ??= (async () => {
        for (const stop of [...stops]) stop()
        await dispose()
      })()
      return closing
    },
  }
}

/** Hands on what a feed has, a little at a time between other work; returns a way to stop. */
function drain(feed: Feed<StepView>, listener: (step: StepView) => void): () => void {
  let isOver = false
  const later = () => void setImmediate(tell)
  const tell = () => {
    if (isOver) return
    const steps = feed.take()
    for (const step of steps) listener(step)
    if (steps.length > 0) later()
  }
  const stop = feed.wake(later)
  later()
  return () => {
    isOver = true
    stop()
  }
}
