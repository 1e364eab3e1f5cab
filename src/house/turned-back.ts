import type { ActorHost } from '../actors/actor-host.ts'
import { heartbeatId } from '../actors/heartbeat.ts'
import { dueAgainAt } from '../actors/instance.ts'
import type { Policy } from '../actors/ports.ts'
import { longestCoolDown } from '../machines/instance-words.ts'
import type { Stores } from './stores.ts'

export interface TurnedBackParts {
  host: Pick<ActorHost, 'write'>
  stores: Stores
  policy: Policy
}

/**
 * After the clock was set back worlds would wait until it shows the old time again: each is due by its cadence from now.
 */
export const lookAnew = ({ host, stores, policy }: TurnedBackParts): Promise<void> =>
  host.write((turn) => {
    for (const row of stores.ticks.worlds()) {
      if (row.state === 'halted' && row.nextTickAt !== null) {
        stores.ticks.setNextTick(row.id, Math.min(row.nextTickAt, turn.now + longestCoolDown))
      }
      if (row.state !== 'resting') continue
      stores.ticks.setNextTick(row.id, dueAgainAt({ ...row, world: row.id }, turn.now, stores, policy))
    }
    turn.tell(heartbeatId, heartbeatId, { type: 'reschedule' })
  })
