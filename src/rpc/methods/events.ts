import { z } from 'zod'
import { Fault } from '../../domain/errors.ts'
import type { News } from '../../domain/news.ts'
import { method } from '../method.ts'
import { snake } from '../snake.ts'
import { nothing } from './common.ts'

/** The notification that carries news; its params are the news itself. */
export const newsMethod = 'events.news'

/** News as it goes over a wire. */
export const newsNotification = (news: News): string =>
  JSON.stringify({ jsonrpc: '2.0', method: newsMethod, params: snake(news) })

export const subscribe = method({
  name: 'events.subscribe',
  summary: `Begins to send news as ${newsMethod} notifications. A connection has one subscription: asking again changes nothing.`,
  params: nothing,
  result: z.strictObject({ subscription: z.string() }),
  run(_, _services, caller) {
    if (caller.beginNews) return { subscription: caller.beginNews() }
    throw Fault.use(
      'rpc/no-subscription',
      'This connection cannot carry news. Connect through the socket or a WebSocket, or ask again from time to time.',
    )
  },
})
