import type { ActorHost } from '../actors/actor-host.ts'
import { heartbeatId } from '../actors/heartbeat.ts'
import { type Clock, minute, second } from '../domain/clock.ts'
import { effectiveMode, type Settings } from '../domain/settings.ts'
import { memoryWorld } from './blank-task.ts'
import type { Stores } from './stores.ts'

export interface EventDrivenParts {
  host: Pick<ActorHost, 'write'>
  stores: Pick<Stores, 'ticks'>
  clock: Clock
  settings: Settings
}

/** A change of a source this soon after something was carried out is taken for its doing. */
const ownEcho = 5 * second

/** At most thirty ticks an hour because of changes. */
const shortestEventGap = 2 * minute

/** In `event_driven` mode a change of a source is a reason to tick; otherwise it waits for the next beat. */
export function sourceChanged({ host, stores, clock, settings }: EventDrivenParts, carriedOutAt: number): void {
  if (effectiveMode(settings) !== 'event_driven') return
  if (clock.now() - carriedOutAt < ownEcho) return
  const row = stores.ticks.world(memoryWorld)
  // A halted world comes back in its own time.
  if (row?.state === 'halted') return
  const at = Math.max(clock.now(), (row?.lastTickAt ?? 0) + shortestEventGap)
  void host.write((turn) => {
    stores.ticks.bringForward(memoryWorld, at)
    turn.tell(heartbeatId, heartbeatId, { type: 'reschedule' })
  })
}
