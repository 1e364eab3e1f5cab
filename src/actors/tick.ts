import type { EventObject } from 'xstate'
import type { ActorId, TickId } from '../domain/ids.ts'
import type { ModelCall } from '../domain/model.ts'
import { tick } from '../machines/tick.ts'
import { stateName } from './inspection.ts'
import type { Policy, Rows } from './ports.ts'
import type { Seat } from './seat.ts'

/** What judging a batch comes to: the call as it is kept, and how many times the model was asked. */
export interface Judged {
  call: ModelCall
  calls: number
}

interface WorkDone {
  type: 'work.done'
  output: unknown
}

export const tickSeat = (rows: Rows, policy: Policy): Seat<typeof tick> => ({
  kind: 'tick',
  version: 1,
  machine: (turn) =>
    tick.provide({
      delays: { wallClock: () => policy.tickTimeoutMs() },
      actions: {
        tellInstance: ({ self }, { id, instance, failure, as }) =>
          turn.tell(self.id as ActorId, instance, {
            type: 'tickSettled',
            tick: id,
            end: as,
            reason: failure?.message ?? null,
            at: turn.now,
          }),
      },
    }),
  complete: (event: EventObject, actor) => {
    if (event.type !== 'work.done') return event
    const { output } = event as WorkDone
    if (isJudged(output)) {
      rows.ticks.recordCall(output.call)
      return { type: 'work.done', output: { call: output.call.id, calls: output.calls } } as EventObject
    }
    if (countsRemaining(output)) {
      return {
        type: 'work.done',
        output: { remaining: rows.evaluations.remainingIn(actor as string as TickId) },
      } as EventObject
    }
    return event
  },
  moved: ({ before, after }, turn) => {
    const { context } = after
    const state = stateName(after.value)
    if (before === null) {
      const { id, world, generation, force } = context
      rows.ticks.insert({ id, world, generation, force, state, startedAt: turn.now })
    } else {
      rows.ticks.move({
        id: context.id,
        state,
        reason: context.failure?.message ?? null,
        modelCalls: context.modelCalls,
        evaluations: context.evaluations,
        callsAvoided: context.callsAvoided,
        endedAt: after.status === 'active' ? null : turn.now,
      })
    }
    turn.news({ type: 'tick', id: context.id, world: context.world, state })
  },
})

const isJudged = (output: unknown): output is Judged =>
  typeof output === 'object' && output !== null && 'call' in output && typeof output.call === 'object'

const countsRemaining = (output: unknown): boolean =>
  typeof output === 'object' && output !== null && 'remaining' in output
