import type { News } from '../domain/news.ts'
import type { Door } from './door.ts'
import { gone } from './gone.ts'
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
    [Symbol.asyncDispose]() {
      closing ??= (async () => {
        for (const stop of [...stops]) stop()
        await dispose()
      })()
      return closing
    },
  }
}
