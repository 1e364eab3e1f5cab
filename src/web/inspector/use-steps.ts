import { useEffect } from 'react'
import { browserClock } from '../browser-clock.ts'
import { gathered } from '../data/news-upkeep.ts'
import { type Step, stepMethod } from '../rpc/inspector-methods.ts'
import { callOn, useConnection } from '../rpc/rpc-context.tsx'

type Heard = Step & { subscription: string }

/**
 * Calls back, a moment later and once for many, when an actor has made steps; for null when any has. After the connection
 * was away it goes on where it stopped.
 */
export function useSteps(actor: string | null, stepped: () => Promise<unknown>): void {
  const connection = useConnection()
  useEffect(() => {
    const call = callOn(connection)
    const subscription = actor === null ? 'tree' : 'actor'
    let newest: number | null = null
    const gather = gathered(browserClock, async () => {
      await stepped()
    })
    const begin = () => {
      const query = {
        subscription,
        ...(actor !== null && { actor }),
        ...(newest !== null && { since_seq: newest }),
      }
      // Without it the page shows how things stood when they were asked for.
      call('inspector.subscribe', query, { repeatable: true }).then(
        ({ head }) => {
          newest ??= head
        },
        () => {},
      )
    }
    const stopHearing = connection.hear((method, params) => {
      if (method !== stepMethod) return
      const step = params as Heard
      if (step.subscription !== subscription) return
      newest = step.seq
      gather.add(step.actor)
    })
    begin()
    const stopReopened = connection.onReopened(begin)
    return () => {
      stopHearing()
      stopReopened()
      gather.stop()
      call('inspector.unsubscribe', { subscription }).catch(() => {})
    }
  }, [connection, actor, stepped])
}
