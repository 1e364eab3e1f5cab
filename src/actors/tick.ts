import type { EventObject } from 'xstate'
import type { Failure } from '../domain/errors.ts'
import type { ActorId, TickId } from '../domain/ids.ts'
import type { CountedCall } from '../domain/usage.ts'
import type { TickSettled } from '../machines/instance-words.ts'
import { tick } from '../machines/tick.ts'
import { type Answered, type TickEnd, withQuestions } from '../machines/tick-words.ts'
import { stateName } from './inspection.ts'
import type { Policy, Rows } from './ports.ts'
import type { Seat } from './seat.ts'

/** What judging a batch comes to: the call as it is kept, and how many verdicts it gave, and of these to escalate. */
export interface Judged {
  call: CountedCall
  verdicts: number
  escalated: number
}

/** What a profile's question comes to: the call as it is kept, and what was read in the answer. */
export interface Asked extends Omit<Answered, 'call' | 'calls'> {
  call: CountedCall
}

/** The fault of a day's budget that allows no further call. */
export const usedUp = 'model/budget'

/** A budget that is used up is no failure of the world's: its tasks wait for the next day, and it has nothing to do until then. */
const endForWorld = (end: TickEnd, failure: Failure | null): TickEnd =>
  end === 'failed' && failure?.code === usedUp ? 'quiet' : end

interface WorkDone {
  type: 'work.done'
  output: unknown
}

export const tickSeat = (rows: Rows, policy: Policy): Seat<typeof tick> => ({
  kind: 'tick',
  version: 2,
  upgrades: { 1: withQuestions },
  machine: (turn) =>
    tick.provide({
      delays: { wallClock: () => policy.tickTimeoutMs() },
      actions: {
        tellInstance: ({ self }, { id, world, instance, failure, more, as }) => {
          const settled: TickSettled = {
            type: 'tickSettled',
            tick: id,
            end: endForWorld(as, failure),
            reason: failure?.message ?? null,
            code: failure?.code ?? null,
            signature: policy.signatureOf(world),
            // What is left is for the next tick only where this one took something up.
            more: more && (as === 'done' || as === 'quiet'),
            at: turn.now,
          }
          turn.tell(self.id as ActorId, instance, settled)
        },
      },
    }),
  complete: (event: EventObject, actor) => {
    if (event.type !== 'work.done') return event
    const { output } = event as WorkDone
    if (isJudged(output)) {
      const { call, verdicts, escalated } = output
      rows.ticks.recordCall(call)
      if (call.world !== null) rows.usage.tally(call.day, call.world, { verdicts, escalated })
      return { type: 'work.done', output: { call: call.id, calls: call.calls } } as EventObject
    }
    if (isAsked(output)) {
      const { call, ...read } = output
      rows.ticks.recordCall(call)
      return { type: 'work.done', output: { ...read, call: call.id, calls: call.calls } } as EventObject
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
      // A tick that committed nothing has its due tasks counted by the next one.
      if (state === 'quiet' || state === 'done') {
        rows.usage.tally(policy.dayOf(turn.now), context.world, { avoided: context.callsAvoided })
      }
    }
    turn.news({ type: 'tick', id: context.id, world: context.world, state })
  },
})

const isJudged = (output: unknown): output is Judged =>
  typeof output === 'object' && output !== null && 'call' in output && 'verdicts' in output

const isAsked = (output: unknown): output is Asked =>
  typeof output === 'object' && output !== null && 'call' in output && 'broken' in output

const countsRemaining = (output: unknown): boolean =>
  typeof output === 'object' && output !== null && 'remaining' in output
