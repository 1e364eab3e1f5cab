import { Fault } from '../../domain/errors.ts'
import { largestBody, masterKey, type SessionKey, subconsciousKey } from '../../domain/session.ts'

const longestName = 200
/** What can be typed, shown in one line and told apart from `agent/session`. */
const name = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s/]+$/u

const ours: readonly string[] = [masterKey.agent, subconsciousKey.agent]

/** Throws `session/name-invalid`, and `session/name-reserved` for an agent that only undermind itself can be. */
export function assertPeer({ agent, session }: SessionKey): void {
  for (const [what, given] of [
    ['agent', agent],
    ['session', session],
  ] as const) {
    if (name.test(given) && given.length <= longestName) continue
    throw Fault.use(
      'session/name-invalid',
      `The name of ${what === 'agent' ? 'an agent' : 'a session'} is 1 to ${longestName} characters without spaces or slashes.`,
      { [what]: given.slice(0, longestName) },
    )
  }
  if (!ours.includes(agent.toLowerCase())) return
  throw Fault.use('session/name-reserved', `"${agent}" is no other agent. Give it the name of the agent that writes.`, {
    agent,
  })
}

/** Throws `session/message-empty` and `session/message-too-large`. */
export function assertBody(body: string): void {
  if (body.trim() === '') throw Fault.use('session/message-empty', 'A message has to say something. Give it a text.')
  const bytes = Buffer.byteLength(body)
  if (bytes <= largestBody) return
  throw Fault.use(
    'session/message-too-large',
    `The message has ${bytes} bytes; ${largestBody} is the most one may have. Send it in parts, or a file's name in its place.`,
    { bytes, most: largestBody },
  )
}
