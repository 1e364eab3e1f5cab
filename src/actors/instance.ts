import type { ActorId } from '../domain/ids.ts'
import { instance } from '../machines/instance.ts'
import { type AnswerEvent, type InstanceContext, withHalt } from '../machines/instance-words.ts'
import { heartbeatId } from './heartbeat.ts'
import { stateName } from './inspection.ts'
import type { Policy, Rows } from './ports.ts'
import type { Seat } from './seat.ts'

export const instanceSeat = (rows: Rows, policy: Policy): Seat<typeof instance> => ({
  kind: 'instance',
  version: 2,
  upgrades: { 1: withHalt },
  machine: (turn) =>
    instance.provide({
      actions: {
        startTick: ({ self }, { world, generation, tick, next, halt }) => {
          if (tick === null) return
          const input = { id: tick, world, instance: self.id as ActorId, generation, force: next?.force ?? false, halt }
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
  // Whatever an idle world waits for is in its row.
  rests: (snapshot) => snapshot.value !== 'ticking' && snapshot.value !== 'superseding',
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

/**
 * A resting world beats when it is due; a ticking one after a whole cadence, so that a tick that hangs is superseded; a
 * halted one when it may try again.
 */
function nextBeatAt(state: string, context: InstanceContext, now: number, rows: Rows, policy: Policy): number | null {
  if (state === 'resting') return dueAgainAt(context, now, rows, policy)
  const cadence = policy.cadenceMs(context.world)
  if (cadence === null) return null
  if (state === 'ticking') return policy.afterQuietHours(now + cadence)
  if (state !== 'halted') return null
  const { consecutiveFailures: failures, lastTickAt, halt } = context
  const openAt = halt?.openAt ?? now
  // Of tries that asked nobody, or found somebody else at fault, one follows the other no sooner than usual.
  const pause = openAt > now ? now : failures > 1 ? now + policy.backoffMs(failures) : (lastTickAt ?? 0) + cadence
  return policy.afterQuietHours(Math.max(openAt, pause, now))
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
  context: Pick<InstanceContext, 'world' | 'lastTickAt' | 'consecutiveFailures'> & { more?: boolean },
  now: number,
  rows: { tasks: Pick<Rows['tasks'], 'nextDueAt'>; ticks: Pick<Rows['ticks'], 'lastStartedAt'> },
  policy: Policy,
): number | null {
  const cadence = policy.cadenceMs(context.world)
  if (cadence === null) return null
  if (context.consecutiveFailures > 0) return now + policy.backoffMs(context.consecutiveFailures)
  if (context.more === true) return policy.afterQuietHours(now)
  // A clock that was set back must not make the world wait until the old time comes again.
  const regular =
    context.lastTickAt === null ? now : Math.min(Math.max(context.lastTickAt + cadence, now), now + cadence)
  const lastLook = Math.min(rows.ticks.lastStartedAt(context.world) ?? now, now)
  return policy.afterQuietHours(Math.min(regular, rows.tasks.nextDueAt(context.world, lastLook) ?? regular))
}
