import { sessionId } from '../../actors/session.ts'
import { Fault } from '../../domain/errors.ts'
import { id, type SessionId } from '../../domain/ids.ts'
import type { Session, SessionKey } from '../../domain/session.ts'
import type { Stores } from '../stores.ts'

/**
 * The session that somebody names: by its id, as `agent/session`, or by the name of either where only one session has it.
 * Throws `session/unknown` and `session/ambiguous`.
 */
export function findSession({ sessions }: Pick<Stores, 'sessions'>, given: string): Session {
  const byId = sessions.get(id<SessionId>(given))
  if (byId) return byId
  const whole = splits(given).flatMap((key) => sessions.get(sessionId(key)) ?? [])
  const named = whole.length > 0 ? whole : sessions.named(given)
  // Others may call their sessions as they like: the user's own names mean the user's own.
  const pinned = named.filter(({ kind, session }) => kind !== 'peer' && session === given)
  const found = pinned.length > 0 ? pinned : named
  if (found.length === 1) return found[0]!
  if (found.length === 0) {
    throw Fault.use(
      'session/unknown',
      `There is no session "${given}". undermind sessions list shows which there are.`,
      {
        session: given,
      },
    )
  }
  const names = found.slice(0, 5).map(({ agent, session }) => `${agent}/${session}`)
  throw Fault.use(
    'session/ambiguous',
    `"${given}" may be ${names.join(', ')}${found.length > names.length ? ' and others' : ''}. Name one of them.`,
    { session: given, candidates: found.map((one) => one.id) },
  )
}

/** A name that was brought in from elsewhere may hold a slash itself. */
const splits = (given: string): SessionKey[] =>
  [...given.matchAll(/\//g)].map(({ index }) => ({ agent: given.slice(0, index), session: given.slice(index + 1) }))
