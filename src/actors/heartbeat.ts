import { minute } from '../domain/clock.ts'
import { type ActorId, id } from '../domain/ids.ts'
import { heartbeat } from '../machines/heartbeat.ts'
import type { Rows } from './ports.ts'
import type { Seat } from './seat.ts'

export const heartbeatId = id<ActorId>('heartbeat')

/** Nothing is due: look again after this long, in case somebody has turned the clock. */
const longestSleep = 60 * minute

/** The actor of a world's instance. */
export const instanceId = (world: string): ActorId => id<ActorId>(`instance_${world}`)

export const heartbeatSeat = (rows: Rows): Seat<typeof heartbeat> => ({
  kind: 'heartbeat',
  version: 1,
  machine: (turn) =>
    heartbeat.provide({
      delays: {
        untilNextBeat: () =>
          Math.max(0, Math.min(longestSleep, (rows.ticks.nextTickAt() ?? Number.POSITIVE_INFINITY) - turn.now)),
      },
      actions: {
        tickDueInstances: ({ self }) => {
          for (const world of rows.ticks.dueWorlds(turn.now)) {
            rows.ticks.setNextTick(world.id, null)
            turn.tell(self.id as ActorId, instanceId(world.id), { type: 'tick' })
          }
        },
        triggerInstance: ({ self }, { world, force }) =>
          turn.tell(self.id as ActorId, instanceId(world), { type: 'trigger', force }),
        forwardAnswer: ({ self }, answer) => {
          const row = rows.evaluations.get(answer.evaluation)
          // One that has ended takes no more answers; whoever gave this one reads from its card who was first.
          if (row?.settledAt === null) turn.tell(self.id as ActorId, instanceId(row.world), answer)
        },
      },
    }),
})
