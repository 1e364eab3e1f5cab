import { createHash } from 'node:crypto'
import type { EventObject, SnapshotFrom } from 'xstate'
import { type ActorId, id, type MessageId, type SessionId } from '../domain/ids.ts'
import type { CycleKept, SessionKey } from '../domain/session.ts'
import type { CountedCall } from '../domain/usage.ts'
import { session } from '../machines/session.ts'
import { cycleId, debounce } from '../machines/session-words.ts'
import { stateName } from './inspection.ts'
import type { Rows } from './ports.ts'
import type { Seat, Turn } from './seat.ts'

type Snapshot = SnapshotFrom<typeof session>

/** What a step of a wake comes to: what it leaves in the rows, the model calls it took, and what the chart is told. */
export interface Stepped<Told = null> {
  kept: CycleKept
  calls: CountedCall[]
  told: Told
}

/** The same agent and session are the same actor, for ever and in every store. */
export const sessionId = ({ agent, session: name }: SessionKey): SessionId =>
  id<SessionId>(
    `session_${createHash('sha256')
      .update(JSON.stringify([agent, name]))
      .digest('hex')
      .slice(0, 24)}`,
  )

export const sessionSeat = (rows: Pick<Rows, 'sessions' | 'cycles' | 'ticks'>): Seat<typeof session> => ({
  kind: 'session',
  version: 1,
  machine: (turn) =>
    session.provide({
      delays: {
        patience: ({ context: { since } }) =>
          Math.min(debounce.patienceMs, Math.max(0, debounce.patienceMs - (turn.now - (since ?? turn.now)))),
      },
    }),
  rests: (snapshot) => snapshot.matches('idle') || snapshot.matches('retrying'),
  complete: (event, _actor, turn) => {
    if (!isStep(event)) return event
    const { kept, calls, told } = event.output
    for (const call of calls) rows.ticks.recordCall(call)
    rows.cycles.keep(kept, turn.now)
    return { type: 'work.done', output: told } as EventObject
  },
  moved: ({ before, after }, turn) => {
    const { context } = after
    const { id: self, agent, session: name, cursor, attempts, failure } = context
    if (before !== null && before.context.cursor < cursor) handOver(before, after, rows, turn)
    const state = stateName(after.value)
    const reason = after.matches('retrying') || attempts > 0 ? (failure?.message ?? null) : null
    rows.sessions.move({ id: self, state, reason, cursor, attempts })
    const head = rows.sessions.get(self)?.head ?? 0
    turn.news({ type: 'session', id: self, agent, session: name, state, head })
  },
})

const isStep = (event: EventObject): event is { type: 'work.done'; output: Stepped<unknown> } =>
  event.type === 'work.done' && typeof (event as { output?: { kept?: unknown } }).output?.kept === 'object'

/** The answer stands among the messages from the moment that the cursor has moved past what it answers. */
function handOver(before: Snapshot, after: Snapshot, rows: Pick<Rows, 'sessions' | 'cycles'>, turn: Turn): void {
  const { id: self, through, delivery } = after.context
  const cycle = cycleId(self, before.context.through)
  const body = rows.cycles.get(cycle)?.reply ?? ''
  rows.sessions.addMessage(self, { id: replyId(through), role: 'assistant', body, cycle, delivery, at: turn.now })
  rows.cycles.end(cycle, turn.now)
}

const replies = 'reply:'

/** The id of the answer to the messages through one of them; nobody else's message may have one like it. */
export const replyId = (through: number): MessageId => id<MessageId>(`${replies}${through}`)
export const isReplyId = (given: string): boolean => given.startsWith(replies)

export const actorOf = (self: SessionId): ActorId => self as string as ActorId
