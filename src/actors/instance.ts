import type { ActorId } from '../domain/ids.ts'
import { type AnswerEvent, type InstanceContext, instance } from '../machines/instance.ts'
import { heartbeatId } from './heartbeat.ts'
import { stateName } from './inspection.ts'
import type { Policy, Rows } from './ports.ts'
import type { Seat } from './seat.ts'

export const instanceSeat = (rows: Rows, policy: Policy): Seat<typeof instance> => ({
  kind: 'instance',
  version: 1,
  machine: (turn) =>
    instance.provide({
      actions: {
        startTick: ({ self }, { world, generation, tick, next }) => {
          if (tick === null) return
          const input = { id: tick, world, instance: self.id as ActorId, generation, force: next?.force ?? false }
          turn.spawn(self.id as ActorId, 'tick', tick as string as ActorId, input)
        },
        supersedeTick: ({ self }, { tick }) => {
          if (tick !== null) turn.tell(self.id as ActorId, tick as string as ActorId, { type: 'supersede' })
        },
        cancelTick: ({ self }, { tick, reason }) => {
          if (tick !== null) turn.tell(self.id as ActorId, tick as string as ActorId, { type: 'cancel', reason })
        },
        forwardAnswer: ({ self }, answer) => {
          turn.tell(self.id as ActorId, answer.evaluation as string as ActorId, forEvaluation(answer))
        },
      },
    }),
  moved: ({ id, after, before }, turn) => {
    const { context } = after
    const state = stateName(after.value)
    const nextTickAt = nextBeatAt(state, context, turn.now, rows, policy)
    rows.ticks.moveWorld({
      id: context.world,
      state,
      reason: context.reason,
      generation: context.generation,
      lastTickAt: context.lastTickAt,
      nextTickAt,
      totalTicks: context.totalTicks,
      consecutiveFailures: context.consecutiveFailures,
    })
    if (before !== null && nextTickAt !== null) turn.tell(id, heartbeatId, { type: 'reschedule' })
    turn.news({ type: 'world', id: context.world, state })
  },
})

/** A resting world beats when it is due; a ticking one after a whole cadence, so that a tick that hangs is superseded. */
function nextBeatAt(state: string, context: InstanceContext, now: number, rows: Rows, policy: Policy): number | null {
  if (state === 'resting') return dueAgainAt(context, now, rows, policy)
  const cadence = policy.cadenceMs(context.world)
  return state === 'ticking' && cadence !== null ? policy.afterQuietHours(now + cadence) : null
}

/** The event as the evaluation knows it. */
function forEvaluation(answer: AnswerEvent): { type: string } {
  const { evaluation: _evaluation, ...event } = answer
  return event.type === 'cancelEvaluation' ? { ...event, type: 'cancel' } : event
}

/**
 * By its cadence, or earlier when a task has a time of its own, also when that came while the last tick ran. A task whose
 * time had come when that tick began waits for the cadence, so that one which cannot run does not keep the world awake.
 * What falls into the quiet hours comes at their end.
 */
export function dueAgainAt(
  context: Pick<InstanceContext, 'world' | 'lastTickAt' | 'consecutiveFailures'>,
  now: number,
  rows: { tasks: Pick<Rows['tasks'], 'nextDueAt'>; ticks: Pick<Rows['ticks'], 'lastStartedAt'> },
  policy: Policy,
): number | null {
  const cadence = policy.cadenceMs(context.world)
  if (cadence === null) return null
  if (context.consecutiveFailures > 0) return now + policy.backoffMs(context.consecutiveFailures)
  // A clock that was set back must not make the world wait until the old time comes again.
  const regular =
    context.lastTickAt === null ? now : Math.min(Math.max(context.lastTickAt + cadence, now), now + cadence)
  const lastLook = Math.min(rows.ticks.lastStartedAt(context.world) ?? now, now)
  return policy.afterQuietHours(Math.min(regular, rows.tasks.nextDueAt(context.world, lastLook) ?? regular))
}
