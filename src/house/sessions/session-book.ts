import type { ActorHost } from '../../actors/actor-host.ts'
import type { Turn } from '../../actors/seat.ts'
import { actorOf, isReplyId, sessionId } from '../../actors/session.ts'
import type { Clock } from '../../domain/clock.ts'
import { Fault } from '../../domain/errors.ts'
import { type Ids, id, type MessageId, type SessionId } from '../../domain/ids.ts'
import {
  masterKey,
  type Session,
  type SessionKey,
  type SessionKind,
  type SessionMessage,
  subconsciousKey,
} from '../../domain/session.ts'
import type { SessionInput } from '../../machines/session-words.ts'
import type { MessagePage } from '../../store/sessions.ts'
import type { Stores } from '../stores.ts'
import { disabled } from './disabled.ts'
import { findSession } from './find-session.ts'
import { assertBody, assertPeer } from './session-names.ts'

export interface SessionBookParts {
  host: Pick<ActorHost, 'write' | 'subscribe'>
  stores: Pick<Stores, 'sessions' | 'cycles'>
  clock: Clock
  ids: Ids
  isEnabled(): boolean
}

export interface MessageOrder {
  /** How its session is named; or, with `agent`, the session's own name, and it is made where it is not there. */
  session: string
  agent?: string
  body: string
  /** Of the sender's: the same id again is the same message. */
  id?: string
}

/** What came of a message: the answer, or why there is none yet. */
export interface Answered {
  answer: SessionMessage | null
  session: Session
}

/** Something about a session that a person should look at. */
export interface Attention {
  session: Session
  why: 'failing' | 'unknownDelivery' | 'unread'
  text: string
  at: number
}

const titles = { master: 'You', subconscious: 'Subconscious' } as const
const page = 200

/** The sessions as people and programs use them. Everything throws `orchestration/disabled` while they are switched off. */
export class SessionBook {
  readonly #parts: SessionBookParts

  constructor(parts: SessionBookParts) {
    this.#parts = parts
  }

  /** The pinned ones first, then those with the newest messages, at most so many. */
  list(limit = page): Session[] {
    this.assertEnabled()
    const { sessions } = this.#parts.stores
    return [...sessions.pinned(), ...sessions.peers(limit)]
  }

  find(given: string): Session {
    this.assertEnabled()
    return findSession(this.#parts.stores, given)
  }

  /** Makes a session with another agent, or returns the one that there is. Throws `session/name-invalid`. */
  async create(key: SessionKey, title?: string): Promise<Session> {
    this.assertEnabled()
    assertPeer(key)
    await this.#parts.host.write((turn) => void this.#ensure(key, 'peer', title ?? key.session, turn))
    return this.#parts.stores.sessions.get(sessionId(key))!
  }

  /**
   * Puts a message into a session; it is answered in time. Resolves once it is durable. Throws `session/read-only`,
   * `session/message-empty`, `session/message-too-large` and `session/message-id-reserved`.
   */
  async send(order: MessageOrder): Promise<{ session: Session; message: SessionMessage; isNew: boolean }> {
    this.assertEnabled()
    const { agent, session: given, body } = order
    assertBody(body)
    if (order.id !== undefined && isReplyId(order.id)) throw reserved(order.id)
    const { host, stores, ids } = this.#parts
    const known = agent === undefined ? findSession(stores, given) : undefined
    const key = known ?? { agent: agent ?? '', session: given }
    if (!known) assertPeer(key)
    if (known?.kind === 'subconscious') throw readOnly()
    const message = order.id === undefined ? ids.next<MessageId>('msg') : id<MessageId>(order.id)
    const put = await host.write((turn) => {
      const self = this.#ensure(key, known?.kind ?? 'peer', key.session, turn)
      const fresh = { id: message, role: 'user' as const, body, cycle: null, delivery: null, at: turn.now }
      const { message: row, isNew } = stores.sessions.addMessage(self, fresh)
      if (isNew) turn.tell(actorOf(self), actorOf(self), { type: 'message', seq: row.seq, at: turn.now })
      // Whoever writes has read what stands above.
      if (known?.kind === 'master') stores.sessions.markRead(self, row.seq)
      return { message: row, isNew }
    })
    return { ...put, session: stores.sessions.get(put.message.session)! }
  }

  messages(given: string, which: MessagePage): { session: Session; messages: SessionMessage[] } {
    const session = this.find(given)
    return { session, messages: this.#parts.stores.sessions.messages(session.id, which) }
  }

  /** The user has seen a session's messages through one of them, or all. */
  async markRead(given: string, through?: number): Promise<Session> {
    const session = this.find(given)
    const { host, stores } = this.#parts
    await host.write((turn) => {
      stores.sessions.markRead(session.id, through ?? session.head)
      this.#tell(session.id, turn)
    })
    return stores.sessions.get(session.id)!
  }

  /**
   * Resolves with the answer to a message, or without one as soon as answering it has failed and is to be tried again
   * later. Throws `store/stalled`, and the signal's reason.
   */
  async answered(session: SessionId, seq: number, signal?: AbortSignal): Promise<Answered> {
    const { sessions } = this.#parts.stores
    for (;;) {
      signal?.throwIfAborted()
      const row = sessions.get(session)
      if (!row) throw Fault.use('session/unknown', `There is no session ${session}.`, { session })
      if (row.cursor >= seq) return { answer: this.#answerTo(session, seq), session: row }
      if (row.state === 'retrying') return { answer: null, session: row }
      await this.#news(session, signal)
    }
  }

  status() {
    this.assertEnabled()
    const { sessions } = this.#parts.stores
    return { ...sessions.count(), unsure: sessions.unsure(page).length }
  }

  /** What a person should look at, the most pressing first. */
  attention(): Attention[] {
    this.assertEnabled()
    const { sessions } = this.#parts.stores
    const failing = sessions
      .failing(page)
      .map((session): Attention => ({ session, why: 'failing', text: session.reason ?? '', at: session.activeAt }))
    const unsure = sessions.unsure(page).flatMap(({ session: of, body, at }): Attention[] => {
      const session = sessions.get(of)
      return session ? [{ session, why: 'unknownDelivery', text: body, at }] : []
    })
    const unread = sessions
      .pinned()
      .filter(({ head, read }) => head > read)
      .map((session): Attention => {
        const last = sessions.messages(session.id, { limit: 1 })[0]
        return { session, why: 'unread', text: last?.body ?? '', at: session.activeAt }
      })
    return [...failing, ...unsure, ...unread]
  }

  /** Makes the pinned sessions where they are not there. */
  async pin(): Promise<void> {
    if (!this.#parts.isEnabled()) return
    await this.#parts.host.write((turn) => {
      this.#ensure(masterKey, 'master', titles.master, turn)
      this.#ensure(subconsciousKey, 'subconscious', titles.subconscious, turn)
    })
  }

  /**
   * Makes sure that every session with unanswered messages knows of them, whatever happened to it, and tries again what
   * has failed; returns how many there were. Does nothing while sessions are switched off.
   */
  async sweep(): Promise<number> {
    if (!this.#parts.isEnabled()) return 0
    const { host, stores } = this.#parts
    let found = 0
    for (let last = ''; ; ) {
      const rows = stores.sessions.unanswered(last, page)
      await host.write((turn) => {
        for (const row of rows) this.#wake(row, turn)
      })
      found += rows.length
      if (rows.length < page) return found
      last = rows.at(-1)!.id
    }
  }

  #wake(row: Session, turn: Turn): void {
    const at = this.#parts.stores.sessions.firstUnansweredAt(row.id, row.cursor) ?? turn.now
    turn.spawn(null, 'session', actorOf(row.id), inputOf(row, at))
    turn.tell(actorOf(row.id), actorOf(row.id), { type: 'wake', seq: row.inbound, at })
  }

  /** The session of this key, made with its actor where it is not there. */
  #ensure(key: SessionKey, kind: SessionKind, title: string, turn: Turn): SessionId {
    const { sessions } = this.#parts.stores
    const self = sessionId(key)
    const isNew = sessions.insert({ ...key, id: self, kind, title, createdAt: turn.now })
    const row = sessions.get(self)!
    // Nobody wakes the subconscious: what it is told is told elsewhere.
    if (kind !== 'subconscious') turn.spawn(null, 'session', actorOf(self), inputOf(row, null))
    if (isNew) this.#tell(self, turn)
    return self
  }

  #tell(self: SessionId, turn: Turn): void {
    const row = this.#parts.stores.sessions.get(self)
    if (!row) return
    const { agent, session, state, head } = row
    turn.news({ type: 'session', id: self, agent, session, state, head })
  }

  #answerTo(session: SessionId, seq: number): SessionMessage | null {
    const { sessions, cycles } = this.#parts.stores
    for (let after = seq; ; ) {
      const rows = sessions.messages(session, { after, limit: page })
      const answer = rows.find(({ cycle }) => cycle !== null && (cycles.get(cycle)?.through ?? 0) >= seq)
      if (answer) return answer
      if (rows.length < page) return null
      after = rows.at(-1)!.seq
    }
  }

  #news(session: SessionId, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (act: () => void) => {
        stop()
        signal?.removeEventListener('abort', aborted)
        act()
      }
      const aborted = () => end(resolve)
      const stop = this.#parts.host.subscribe((news) => {
        if (news.type === 'session' && news.id === session) end(resolve)
        if (news.type === 'store' && news.state !== 'flowing') {
          end(() => reject(new Fault('store/stalled', news.reason ?? 'The store takes nothing just now.')))
        }
      })
      signal?.addEventListener('abort', aborted)
    })
  }

  assertEnabled(): void {
    if (!this.#parts.isEnabled()) throw disabled()
  }
}

const inputOf = ({ id: self, agent, session, kind, inbound, cursor }: Session, since: number | null): SessionInput => ({
  id: self,
  agent,
  session,
  kind,
  inbound: Math.max(inbound, cursor),
  cursor,
  since: inbound > cursor ? since : null,
})

const readOnly = (): Fault =>
  Fault.use(
    'session/read-only',
    'The subconscious session is there to be read. Write to the master session, or to one with another agent.',
  )

const reserved = (given: string): Fault =>
  Fault.use('session/message-id-reserved', `"${given}" is the id of an answer. Give the message another id.`, {
    id: given,
  })
