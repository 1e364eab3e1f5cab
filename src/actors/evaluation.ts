import type { EventObject, SnapshotFrom } from 'xstate'
import { day } from '../domain/clock.ts'
import type { Analysis } from '../domain/decision.ts'
import type { CardState } from '../domain/escalation.ts'
import type { EvaluationPhase, EvaluationState } from '../domain/evaluation.ts'
import type { ActorId, EvaluationId, WorldId } from '../domain/ids.ts'
import type { CountedCall } from '../domain/usage.ts'
import { evaluation } from '../machines/evaluation.ts'
import type { EvaluationContext } from '../machines/evaluation-words.ts'
import type { Policy, Rows } from './ports.ts'
import { isProposal, withStanding } from './proposal-standing.ts'
import type { Seat, Turn } from './seat.ts'

type Snapshot = SnapshotFrom<typeof evaluation>

/** What work on a task came to, with the model call that led to it where it was a single one. */
export type Worked = Analysis & { call?: CountedCall }

/** How long an action that the user has skipped is not suggested again for the same task. */
const silenceAfterDismissal = 30 * day
const mostAttempts = 5
/** What waiting does not help against: the task is paused until the user has seen to it. */
const forUser: ReadonlySet<string> = new Set(['model/needs-agent', 'model/budget-too-small', 'model/no-price'])
/** What passes by itself: a task waits for it, longer each time, and is not paused. */
const outages: ReadonlySet<string> = new Set([
  'model/unreachable',
  'model/busy',
  'model/rate-limited',
  'model/timeout',
  'model/missing',
  'model/quota',
  'model/rate-cap',
  'model/key-refused',
  'model/no-key',
])

export const evaluationSeat = (rows: Rows, policy: Policy): Seat<typeof evaluation> => ({
  kind: 'evaluation',
  version: 2,
  upgrades: { 1: withAgent },
  machine: (turn) =>
    evaluation.provide({
      delays: { expiry: () => policy.cardExpiryMs() },
      actions: {
        stopAgent: ({ self }, { reason }) => {
          const run = rows.agentRuns.openOf(self.id as EvaluationId)
          if (run) turn.tell(self.id as ActorId, run as string as ActorId, { type: 'stop', reason })
        },
        releaseTick: ({ self }, { tick, released }) => {
          if (released || tick === null) return
          turn.later(() => {
            const remaining = rows.evaluations.remainingIn(tick)
            // The tick waits for none to remain and for nothing else; and not at all for what is being carried out, by
            // whose end it may be over.
            if (remaining > 0 || rows.ticks.get(tick)?.endedAt !== null) return
            turn.tell(self.id as ActorId, tick as string as ActorId, { type: 'evaluationSettled', remaining })
          })
        },
      },
    }),
  rests: (snapshot) => snapshot.matches('awaitingApproval'),
  complete: (given, actor, turn) => {
    const event = withCallKept(given, rows)
    return isProposal(event) ? withStanding(event.output, actor, rows, policy, turn) : event
  },
  moved: ({ id, before, after }, turn) => {
    mirror(before, after, rows, turn)
    if (before !== null && hasAgent(before) && !hasAgent(after)) callOff(id, rows, turn)
    card(id, before, after, rows, policy, turn)
    const released = after.context.released || after.status === 'done'
    if (before?.context.released) completeOnce(after, rows)
    else if (released) settleTask(after, rows, policy, turn)
    const [state, phase] = places(after)
    turn.news({
      type: 'evaluation',
      id: after.context.id,
      task: after.context.task,
      tick: after.context.tick,
      state,
      phase,
    })
  },
})

/** Version 2 knows of agents: what they need, the plan they carry out, and whether they have begun. */
function withAgent(snapshot: unknown): unknown {
  const { context, ...rest } = snapshot as { context: object }
  return { ...rest, context: { ...context, needs: null, plan: null, begun: false, outcome: null } }
}

const hasAgent = (snapshot: Snapshot): boolean =>
  snapshot.matches({ inProgress: 'executing' }) || snapshot.matches({ inProgress: 'analysing' })

/** An agent whose result nobody waits for any more stops at once. */
function callOff(self: ActorId, rows: Rows, turn: Turn): void {
  const run = rows.agentRuns.openOf(self as string as EvaluationId)
  if (run) turn.tell(self, run as string as ActorId, { type: 'cancel' })
}

/** The call that led to a result is kept with it, and no part of what the chart is told. */
function withCallKept(event: EventObject, rows: Rows): EventObject {
  const { output } = event as { output?: Partial<Worked> }
  if (event.type !== 'work.done' || output?.call === undefined) return event
  const { call, ...told } = output
  rows.ticks.recordCall(call)
  return { type: 'work.done', output: told } as EventObject
}

function places(snapshot: Snapshot): [EvaluationState, EvaluationPhase | null] {
  const { value } = snapshot
  if (typeof value === 'object') {
    return ['inProgress', hasAgent(snapshot) && snapshot.context.begun ? 'carryingOut' : value.inProgress]
  }
  if (value === 'confirmed' || value === 'weighed') return ['inProgress', null]
  return [value, null]
}

function mirror(before: Snapshot | null, after: Snapshot, rows: Rows, turn: Turn): void {
  const { context } = after
  const [state, phase] = places(after)
  const { id, decision, reason, text, sources, call, failure, tainted } = context
  if (before === null) {
    const { task, world, tick, batch, from, through, retryOf } = context
    const made = { createdAt: turn.now, settledAt: null, decision, reason, call, failure }
    rows.evaluations.insert({
      id,
      task,
      world,
      tick,
      batch,
      state,
      phase,
      text,
      sources,
      from,
      through,
      retryOf,
      tainted,
      ...made,
    })
    return
  }
  const settledAt = after.status === 'active' ? null : turn.now
  rows.evaluations.move({
    id,
    state,
    phase,
    decision,
    reason: reasonOf(context),
    text,
    sources,
    call,
    failure,
    tainted,
    settledAt,
  })
}

function reasonOf({ reason, dismissal }: EvaluationContext): string | null {
  switch (dismissal) {
    case 'expired':
      return 'Expired unanswered'
    case 'withdrawn':
      return 'Withdrawn'
    case 'user':
      return 'Skipped'
    default:
      return reason
  }
}

/** Opens and closes the card as the evaluation comes to wait and stops waiting. */
function card(self: ActorId, before: Snapshot | null, after: Snapshot, rows: Rows, policy: Policy, turn: Turn): void {
  const { context } = after
  const waits = after.matches('awaitingApproval')
  if (waits && context.question !== null) {
    const { proposal, kind, digest, fingerprint } = context.question
    for (const other of rows.escalations.openOf(context.task)) {
      if (other.id !== context.id && other.kind === 'proposal' && kind === 'proposal') {
        turn.tell(self, other.id as string as ActorId, { type: 'replace' })
      }
    }
    rows.escalations.put({
      ...proposal,
      id: context.id,
      task: context.task,
      world: context.world,
      kind,
      state: 'open',
      digest,
      fingerprint,
      external: proposal.provenance.some(({ external }) => external),
      bundled: isOneTooMany(context.world, rows, policy, turn.now),
      createdAt: turn.now,
      refreshedAt: turn.now,
      expiresAt: turn.now + policy.cardExpiryMs(),
      answeredAt: null,
      answeredBy: null,
      answer: null,
    })
    turn.news({ type: 'card', id: context.id, state: 'open' })
  } else if (!waits && before?.matches('awaitingApproval')) {
    const state = closedAs(after)
    const calls = state === 'approved' ? context.question?.proposal.calls : undefined
    rows.escalations.close(context.id, { state, at: turn.now, answer: context.answer, ...(calls && { calls }) })
    if (context.dismissal === 'user') rows.escalations.silence(context.id, turn.now + silenceAfterDismissal)
    turn.news({ type: 'card', id: context.id, state })
  }
}

/** Beyond so many new cards a day the rest are shown as one. */
function isOneTooMany(world: WorldId, rows: Rows, policy: Policy, now: number): boolean {
  const most = policy.newCardsPerDay()
  return rows.escalations.countSince(world, policy.startOfDay(now), most) >= most
}

function closedAs(after: Snapshot): CardState {
  if (after.matches('dismissed')) {
    return after.context.dismissal === 'expired'
      ? 'expired'
      : after.context.dismissal === 'withdrawn'
        ? 'withdrawn'
        : 'dismissed'
  }
  if (after.matches('superseded') || after.matches({ inProgress: 'analysing' })) return 'superseded'
  return after.matches('cancelled') ? 'cancelled' : 'approved'
}

/** Marks and schedule move together with the end they belong to; an end that judged nothing leaves them. */
function settleTask(after: Snapshot, rows: Rows, policy: Policy, turn: Turn): void {
  const { context } = after
  const task = context.tick === null ? undefined : rows.tasks.standing(context.task)
  if (!task) return
  const [state] = places(after)
  if (state === 'acted' || state === 'skipped' || state === 'awaitingApproval') {
    const nextRunAt = policy.nextRunAt(task, turn.now)
    const completed = state === 'acted' && task.schedule.kind === 'once'
    rows.tasks.settle(task.id, { through: context.through, at: turn.now, nextRunAt, completed })
    return
  }
  if (state !== 'failed' || !context.counts) return
  if (context.failure?.code === 'model/budget') {
    rows.tasks.update(task.id, { retryAt: policy.nextDay(turn.now), retryOf: context.id })
    return
  }
  const isOutage = outages.has(context.failure?.code ?? '')
  const attempts = task.attempts + 1
  const needsUser = forUser.has(context.failure?.code ?? '')
  if (needsUser || (attempts > mostAttempts && !isOutage)) {
    const paused = needsUser
      ? (context.failure?.message ?? '')
      : `Failed ${attempts} times in a row: ${context.failure?.message ?? 'unknown'}. Run undermind tasks enable ${task.id} to try again.`
    rows.tasks.update(task.id, { attempts, paused, retryAt: null, retryOf: context.id })
    turn.news({ type: 'task', id: task.id, what: 'paused' })
  } else {
    rows.tasks.update(task.id, { attempts, retryAt: turn.now + policy.backoffMs(attempts), retryOf: context.id })
  }
}

/** A task that is to be done once is over, too, when it has acted after an approval. */
function completeOnce(after: Snapshot, rows: Rows): void {
  if (!after.matches('acted') || after.context.tick === null) return
  const task = rows.tasks.standing(after.context.task)
  if (task?.schedule.kind === 'once') rows.tasks.update(task.id, { completed: true })
}
