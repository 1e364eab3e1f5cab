import type { ActorHost } from '../actors/actor-host.ts'
import type { Turn } from '../actors/seat.ts'
import { sessionId } from '../actors/session.ts'
import type { Directive } from '../domain/directive.ts'
import { Fault } from '../domain/errors.ts'
import { type DirectiveId, type Ids, id, type MessageId, type TickId } from '../domain/ids.ts'
import { masterKey, type Steering, subconsciousKey } from '../domain/session.ts'
import { maskSecrets } from '../memory/secrets.ts'
import type { Advice } from '../profiles/steering.ts'
import type { NewDirective } from '../store/directives.ts'
import type { Stores } from './stores.ts'
import { isCommitting } from './world-ports.ts'

export interface DirectivesParts {
  host: Pick<ActorHost, 'write'>
  stores: Stores
  ids: Ids
}

/** What the background mind advises for the work of sessions: made by reviews, read by wakes, taken back by the user. */
export class Directives {
  readonly #parts: DirectivesParts

  constructor(parts: DirectivesParts) {
    this.#parts = parts
  }

  /** What holds just now for the work of sessions with an agent. */
  steeringFor(agent: string): Steering | null {
    const current = this.#parts.stores.directives.currentFor(agent)
    return current ? { id: current.id, text: current.text } : null
  }

  currentFor(agent: string): Directive | null {
    return this.#parts.stores.directives.currentFor(agent) ?? null
  }

  /** Newest first, those that have ended too. */
  history(limit = 100): Directive[] {
    return this.#parts.stores.directives.list(limit)
  }

  /** Throws `steering/unknown`. */
  find(given: string): Directive {
    const found = this.#parts.stores.directives.get(given)
    if (found) return found
    throw Fault.use(
      'steering/unknown',
      `There is no directive ${given}. undermind sessions steering shows which there are.`,
      { directive: given },
    )
  }

  /**
   * What a tick's review of some rows came to, as one: the rows are read, and the advice, where there is any, takes the
   * place of the one before. Of the same rows it is done once, and by a tick that has left not at all.
   */
  async conclude(tick: TickId, { rows, advice }: { rows: readonly string[]; advice: Advice | null }): Promise<void> {
    const { host, stores } = this.#parts
    const last = rows.at(-1)
    if (last === undefined) return
    await host.write((turn) => {
      const agent = stores.directives.waits(last)
      if (agent === undefined || !isCommitting(stores, tick)) return
      stores.directives.markReviewed(rows)
      if (advice === null) return
      const scope = agent === masterKey.agent ? null : agent
      this.#put(
        {
          id: id<DirectiveId>(`directive_${last}`),
          scope,
          text: maskSecrets(advice.text),
          createdCycle: stores.directives.cycleOf(agent),
          expiresAfter: advice.expiresAfter,
          rows: [...rows],
          againOf: null,
          createdAt: turn.now,
        },
        turn,
      )
    })
  }

  /** Takes back what holds; nothing comes in its place. Throws `steering/unknown`, and `steering/ended` for one that does not hold. */
  async revoke(given: string, by: string): Promise<Directive> {
    const { host, stores } = this.#parts
    return host.write((turn) => {
      const found = this.find(given)
      if (found.state !== 'current' || !stores.directives.revoke(found.id, by, turn.now)) {
        throw Fault.use('steering/ended', `The directive ${found.id} is ${found.state} already. Nothing was changed.`, {
          directive: found.id,
          state: found.state,
        })
      }
      turn.news({ type: 'steering.directive', id: found.id, scope: found.scope, state: 'revoked' })
      return this.find(found.id)
    })
  }

  /** Lets an earlier directive hold again, for as many cycles as it was made for. One that holds stays as it is. */
  async goBackTo(given: string): Promise<Directive> {
    const { host, stores, ids } = this.#parts
    return host.write((turn) => {
      const found = this.find(given)
      if (found.state === 'current') return found
      const { scope, text, expiresAfter, rows } = found
      const again: NewDirective = {
        id: ids.next<DirectiveId>('directive'),
        scope,
        text,
        expiresAfter,
        rows,
        createdCycle: stores.directives.cycleOf(scope ?? masterKey.agent),
        againOf: found.id,
        createdAt: turn.now,
      }
      this.#put(again, turn)
      return this.find(again.id)
    })
  }

  #put(directive: NewDirective, turn: Turn): void {
    const { directives, sessions } = this.#parts.stores
    if (!directives.insert(directive)) return
    const self = sessionId(subconsciousKey)
    sessions.insert({ ...subconsciousKey, id: self, kind: 'subconscious', title: 'Subconscious', createdAt: turn.now })
    const message = { role: 'assistant', body: told(directive), cycle: null, delivery: null, at: turn.now } as const
    sessions.addMessage(self, { ...message, id: id<MessageId>(directive.id) })
    const row = sessions.get(self)
    if (row) {
      const { agent, session, state, head } = row
      turn.news({ type: 'session', id: self, agent, session, state, head })
    }
    turn.news({ type: 'steering.directive', id: directive.id, scope: directive.scope, state: 'current' })
  }
}

const told = ({ text, scope, expiresAfter }: NewDirective): string =>
  `${text}\n\n(For ${scope === null ? 'all sessions' : `sessions with ${scope}`}, for ${expiresAfter} cycle${expiresAfter === 1 ? '' : 's'}.)`
