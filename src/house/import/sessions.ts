import type { Turn } from '../../actors/seat.ts'
import { isReplyId, sessionId } from '../../actors/session.ts'
import { id, type MessageId, type SessionId } from '../../domain/ids.ts'
import { largestBody, type MessageRole, masterKey, type SessionKey, subconsciousKey } from '../../domain/session.ts'
import { oneLine } from '../../memory/cut.ts'
import type { Findings } from './findings.ts'
import type { ImportRun } from './import-run.ts'
import { messages as messageShape, sessions as sessionShape } from './shapes.ts'
import type { SourceDb } from './source-db.ts'
import { rowsOf } from './table.ts'
import { cleaned } from './values.ts'

const longestName = 200
/** As an agent or a session may be called here; names of there may hold a slash. */
const name = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+$/u
const ours: readonly string[] = [masterKey.agent, subconsciousKey.agent]

/** The session here that one of there is, or why there is none. */
export function keyFrom({ agent, session }: SessionKey): SessionKey | string {
  if (agent === subconsciousKey.session && session === subconsciousKey.session) return subconsciousKey
  if (ours.includes(agent.toLowerCase())) return 'Its agent has a name that is undermind’s own or the user’s.'
  const isNamed = [agent, session].every((one) => name.test(one) && one.length <= longestName)
  return isNamed
    ? { agent, session }
    : `Its agent or session has a name with spaces, or one longer than ${longestName} characters.`
}

export const goneOn = 'Its session has gone on here: what is put behind its messages now would be answered.'

/** The session of this key, made where it is not there; a string says why rows of it cannot be taken. */
export function sessionFor(
  run: ImportRun,
  given: SessionKey,
  at: number,
): { self: SessionId; key: SessionKey } | string {
  const key = keyFrom(given)
  if (typeof key === 'string') return key
  const self = sessionId(key)
  if (run.parts.past.hasGoneOn(self)) return goneOn
  const kind = key === subconsciousKey ? 'subconscious' : 'peer'
  const title = kind === 'subconscious' ? 'Subconscious' : key.session
  run.parts.stores.sessions.insert({ ...key, id: self, kind, title, createdAt: at })
  return { self, key }
}

export async function importSessions(run: ImportRun, db: SourceDb): Promise<void> {
  const { sessions } = run.parts.stores
  await run.each(rowsOf(db, sessionShape, run.findings), (row, turn, findings) => {
    const key = keyFrom(row)
    if (typeof key === 'string') return findings.refuse('sessions', key, `${row.agent}/${row.session}`)
    const title = key === subconsciousKey ? 'Subconscious' : oneLine(row.label ?? '', longestName) || key.session
    const kind = key === subconsciousKey ? 'subconscious' : 'peer'
    const createdAt = Math.min(row.createdAt ?? row.activeAt ?? turn.now, turn.now)
    const self = sessionId(key)
    if (!sessions.insert({ ...key, id: self, kind, title, createdAt })) return findings.wasThere('sessions')
    tell(run, self, turn)
    findings.took('sessions')
  })
}

/** By who says it: the other end may be a person or their agent; `owner` is what was answered. */
const roles: Readonly<Record<string, MessageRole>> = {
  user: 'user',
  agent: 'user',
  peer: 'user',
  human: 'user',
  owner: 'assistant',
  assistant: 'assistant',
  subconscious: 'assistant',
  system: 'system',
}

/** Takes messages over with their ids and in the order of their times. All of them count as answered and as read. */
export async function importMessages(run: ImportRun, db: SourceDb): Promise<void> {
  const { past, stores } = run.parts
  await run.each(rowsOf(db, messageShape, run.findings), (row, turn, findings) => {
    const role = Object.hasOwn(roles, row.role.toLowerCase()) ? roles[row.role.toLowerCase()] : undefined
    if (!role) return findings.refuse('messages', 'Its role is none that there is here.', row.role)
    const key = keyFrom(row)
    const given = isReplyId(row.id) ? `openhuman:${row.id}` : row.id
    const message = id<MessageId>(given)
    if (typeof key !== 'string' && stores.sessions.message(sessionId(key), message))
      return findings.wasThere('messages')
    const at = Math.min(row.at, turn.now)
    const place = sessionFor(run, row, at)
    if (typeof place === 'string') return findings.refuse('messages', place, `${row.agent}/${row.session}`)
    const body = bodyOf(row.body, findings)
    if (body === null) return findings.refuse('messages', 'It says nothing.', row.id)
    // In the session that shows what was advised, nobody else has spoken.
    const said = place.key === subconsciousKey && role === 'user' ? 'assistant' : role
    past.message({ session: place.self, id: message, role: said, body, at })
    findings.took('messages')
  })
}

/** UTF-8 needs three bytes at most for a unit of UTF-16. */
const surelyFits = Math.floor(largestBody / 3)

function bodyOf(given: string, findings: Findings): string | null {
  const whole = cleaned(given, Math.max(1, given.length))
  const { text, changed } = Buffer.byteLength(whole.text) > largestBody ? cleaned(given, surelyFits) : whole
  if (text.trim() === '') return null
  if (changed) findings.changed('messages', changed)
  return text
}

function tell(run: ImportRun, self: SessionId, turn: Turn): void {
  const row = run.parts.stores.sessions.get(self)
  if (!row) return
  const { agent, session, state, head } = row
  turn.news({ type: 'session', id: self, agent, session, state, head })
}
