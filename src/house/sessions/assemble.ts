import type { ActorHost } from '../../actors/actor-host.ts'
import { sessionSeat } from '../../actors/session.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Ids } from '../../domain/ids.ts'
import type { Channel, Steering } from '../../domain/session.ts'
import type { Settings } from '../../domain/settings.ts'
import type { Tool } from '../../domain/tool.ts'
import type { Calls } from '../calls.ts'
import type { Routes } from '../routes.ts'
import type { Stores } from '../stores.ts'
import type { SessionMinds, Talker } from './parts.ts'
import { SessionBook } from './session-book.ts'
import { sessionWork } from './session-work.ts'

export interface SessionHouseParts {
  stores: Stores
  host: Pick<ActorHost, 'write' | 'subscribe'>
  clock: Clock
  ids: Ids
  calls: Calls
  tools: ReadonlyMap<string, Tool>
  routes: Routes
  settings(): Settings
  timezone(): string
  /** Where answers leave through. Not given: they stand in the session, and who asks finds them there. */
  channel?: Channel | undefined
  steeringFor(peer: string): Steering | null
}

/** The rows are the channel: an answer is among the messages of its session as soon as it is handed over. */
const rowsOnly: Channel = { repeatable: true, deliver: async () => {} }

/** Sessions as the host is given them: a seat for their actors, the work these order, and the book that people use. */
export function sessionHouse(parts: SessionHouseParts) {
  const { stores, host, clock, settings } = parts
  const isEnabled = () => settings().orchestration.enabled
  return {
    seat: sessionSeat(stores),
    book: new SessionBook({ ...parts, isEnabled }),
    work: sessionWork({
      ...parts,
      isEnabled,
      channel: parts.channel ?? rowsOnly,
      minds: mindsFrom(parts.routes),
      guardAt: () => settings().orchestration.context_guard,
      remember: (memories) =>
        host.write(() => {
          for (const memory of memories) stores.cycles.remember(memory, clock.now())
        }),
    }),
  }
}

/** Whoever judges due tasks answers at once; whoever looks deeper into them works. */
function mindsFrom(routes: Routes): SessionMinds {
  const talker = (stage: 'judge' | 'analyse', tools: boolean): Talker | null => {
    const chat = routes.chatOf(stage)
    return chat && { chat, route: routes.route(stage), tools }
  }
  return {
    refresh: (signal) => routes.refresh(signal),
    fast: () => talker('judge', false),
    deep: () => talker('analyse', routes.agent('analyse') !== null),
    deepLacksTools: () => routes.lacksTools('analyse'),
  }
}
