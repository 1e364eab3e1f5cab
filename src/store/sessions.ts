import type { CycleId, MessageId, SessionId } from '../domain/ids.ts'
import type { Delivery, MessageRole, Session, SessionKey, SessionMessage } from '../domain/session.ts'
import type { Db } from './open.ts'

const columns = `id, agent, session, kind, title, state, reason, head, inbound, cursor, read, attempts, utilization, evicted,
  remembered, created_at AS createdAt, active_at AS activeAt`
const messageColumns = 'id, session, seq, role, body, cycle, delivery, at'

/** A message to be put down; its number is given to it here. */
export interface NewMessage {
  id: MessageId
  role: MessageRole
  body: string
  cycle: CycleId | null
  delivery: Delivery | null
  at: number
}

/** Which messages of a session: after one, or before one and then the newest of those; at most so many. */
export interface MessagePage {
  after?: number
  before?: number
  limit: number
}

/** Sessions and their messages. */
export function sessionStore(db: Db) {
  const insert = db.prepare(
    `INSERT OR IGNORE INTO session(id, agent, session, kind, title, state, created_at, active_at) VALUES(?, ?, ?, ?, ?, 'idle', ?, ?)`,
  )
  const get = db.prepare<[string], Session>(`SELECT ${columns} FROM session WHERE id = ?`)
  const pinned = db.prepare<[], Session>(`SELECT ${columns} FROM session WHERE kind <> 'peer' ORDER BY kind, id`)
  const peers = db.prepare<[number], Session>(
    `SELECT ${columns} FROM session WHERE kind = 'peer' ORDER BY active_at DESC, id LIMIT ?`,
  )
  const failing = db.prepare<[number], Session>(
    `SELECT ${columns} FROM session WHERE attempts > 0 ORDER BY active_at DESC, id LIMIT ?`,
  )
  const named = db.prepare<[string, string], Session>(
    `SELECT ${columns} FROM session WHERE session = ? OR agent = ? ORDER BY id`,
  )
  const unanswered = db.prepare<[string, number], Session>(
    `SELECT ${columns} FROM session WHERE inbound > cursor AND kind <> 'subconscious' AND id > ? ORDER BY id LIMIT ?`,
  )
  const move = db.prepare('UPDATE session SET state = ?, reason = ?, cursor = ?, attempts = ? WHERE id = ?')
  const read = db.prepare('UPDATE session SET read = max(read, min(?, head)) WHERE id = ?')
  const count = db.prepare<[], { sessions: number; waiting: number; failing: number; unread: number }>(
    `SELECT count(*) AS sessions, coalesce(sum(inbound > cursor), 0) AS waiting, coalesce(sum(attempts > 0), 0) AS failing,
     coalesce(sum(head > read), 0) AS unread FROM session`,
  )
  const known = db.prepare<[string, string], SessionMessage>(
    `SELECT ${messageColumns} FROM message WHERE session = ? AND id = ?`,
  )
  const put = db.prepare(
    `INSERT INTO message(session, seq, id, role, body, cycle, delivery, at)
     SELECT id, head + 1, ?, ?, ?, ?, ?, ? FROM session WHERE id = ?`,
  )
  const moved = db.prepare(
    `UPDATE session SET head = head + 1, inbound = CASE WHEN ? THEN head + 1 ELSE inbound END, active_at = ? WHERE id = ?`,
  )
  const after = db.prepare<[string, number, number], SessionMessage>(
    `SELECT ${messageColumns} FROM message WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?`,
  )
  const before = db.prepare<[string, number, number], SessionMessage>(
    `SELECT ${messageColumns} FROM message WHERE session = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
  )
  const firstUnanswered = db
    .prepare<[string, number], number>(
      "SELECT at FROM message WHERE session = ? AND seq > ? AND role = 'user' ORDER BY seq LIMIT 1",
    )
    .pluck()
  const unsure = db.prepare<[number], SessionMessage>(
    `SELECT ${messageColumns} FROM message WHERE delivery = 'unknown' ORDER BY at DESC LIMIT ?`,
  )

  return {
    /** False when there is one of this agent and name already. */
    insert: ({ id, agent, session, kind, title, createdAt }: NewSession): boolean =>
      insert.run(id, agent, session, kind, title, createdAt, createdAt).changes === 1,
    get: (id: SessionId): Session | undefined => get.get(id),
    pinned: (): Session[] => pinned.all(),
    /** Those with other agents, by their newest messages. */
    peers: (limit: number): Session[] => peers.all(limit),
    /** Those of which the last attempt failed. */
    failing: (limit: number): Session[] => failing.all(limit),
    /** Those that have this name, or are with the agent of this name. */
    named: (name: string): Session[] => named.all(name, name),
    /** Those with messages that have not been answered, by id, after one. */
    unanswered: (afterId: string, limit: number): Session[] => unanswered.all(afterId, limit),
    move({
      id,
      state,
      reason,
      cursor,
      attempts,
    }: Pick<Session, 'id' | 'state' | 'reason' | 'cursor' | 'attempts'>): void {
      move.run(state, reason, cursor, attempts, id)
    },
    markRead(id: SessionId, through: number): void {
      read.run(through, id)
    },
    count: () => count.get()!,

    /** Puts a message behind the others, unless one of its id is there: then that one is returned. */
    addMessage(session: SessionId, message: NewMessage): { message: SessionMessage; isNew: boolean } {
      const there = known.get(session, message.id)
      if (there) return { message: there, isNew: false }
      const { id, role, body, cycle, delivery, at } = message
      put.run(id, role, body, cycle, delivery, at, session)
      moved.run(Number(role === 'user'), at, session)
      return { message: known.get(session, id)!, isNew: true }
    },
    message: (session: SessionId, id: MessageId): SessionMessage | undefined => known.get(session, id),
    /** In their order. */
    messages(session: SessionId, page: MessagePage): SessionMessage[] {
      if (page.after !== undefined) return after.all(session, page.after, page.limit)
      return before.all(session, page.before ?? Number.MAX_SAFE_INTEGER, page.limit).reverse()
    },
    firstUnansweredAt: (session: SessionId, cursor: number): number | null =>
      firstUnanswered.get(session, cursor) ?? null,
    /** Answers of which nobody knows whether they arrived, newest first. */
    unsure: (limit: number): SessionMessage[] => unsure.all(limit),
  }
}

export type NewSession = SessionKey & Pick<Session, 'id' | 'kind' | 'title' | 'createdAt'>
