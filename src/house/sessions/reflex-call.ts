import type { Stepped } from '../../actors/session.ts'
import { second } from '../../domain/clock.ts'
import { Fault, failureOf } from '../../domain/errors.ts'
import type { Cycle, Session } from '../../domain/session.ts'
import type { CountedCall } from '../../domain/usage.ts'
import type { ReflexVerdict } from '../../machines/session-words.ts'
import { maskSecrets } from '../../memory/secrets.ts'
import { countTokens } from '../../memory/tokens.ts'
import { ask, promptRoom } from './ask.ts'
import { sceneText } from './conversation.ts'
import { reflexInstructions, reflexSchema } from './instructions.ts'
import type { SessionParts } from './parts.ts'
import { type Reflex, readReflex } from './reflex.ts'

/** How long the reflex agent may take, looking for its model included. */
const patience = 10 * second
const longestBrief = 2000
const messagesSeen = 12

/**
 * The reflex agent's verdict on a cycle. Whatever it fails to be, a reply or a brief in time, the core takes over with a
 * brief made from the messages: nobody waits for a reflex.
 */
export async function reflexOn(
  parts: SessionParts,
  { session, cycle }: { session: Session; cycle: Cycle },
  signal: AbortSignal,
): Promise<Stepped<ReflexVerdict>> {
  const { clock } = parts
  const late = new AbortController()
  const stop = clock.wakeAt(clock.now() + patience, () =>
    late.abort(new Fault('session/reflex-late', 'The reflex agent took longer than it may.')),
  )
  const calls: CountedCall[] = []
  const defer = (brief: string, why: string | null): Stepped<ReflexVerdict> => ({
    kept: { step: 'defer', cycle: cycle.id, brief: brief.slice(0, longestBrief), why },
    calls,
    told: { kind: 'defer' },
  })
  const byItself = (why: string) => defer(`Answer this: ${cycle.ask}`, why)
  try {
    const both = AbortSignal.any([signal, late.signal])
    const verdict = await Promise.race([reflexCall(parts, session, cycle, calls, both), abortOf(both)])
    if (verdict === undefined) return byItself('The reflex agent answered in neither of its two forms.')
    if (verdict.kind === 'defer') return defer(verdict.brief, null)
    const reply = maskSecrets(verdict.text)
    return { kept: { step: 'reply', cycle: cycle.id, reply }, calls, told: { kind: 'reply' } }
  } catch (error) {
    signal.throwIfAborted()
    return byItself(failureOf(error).message)
  } finally {
    stop()
  }
}

async function reflexCall(
  parts: SessionParts,
  session: Session,
  cycle: Cycle,
  calls: CountedCall[],
  signal: AbortSignal,
): Promise<Reflex | undefined> {
  const { minds, stores, clock, timezone } = parts
  await minds.refresh(signal)
  const talker = minds.fast()
  if (!talker) throw new Fault('session/no-reflex', 'There is no language model to answer at once.')
  const scene = {
    session,
    messages: stores.sessions.messages(session.id, { before: cycle.through + 1, limit: messagesSeen }),
    from: cycle.from,
    summaries: [],
    diffs: [],
    brief: null,
    now: clock.now(),
    timezone: timezone(),
  }
  const schemaTokens = countTokens(JSON.stringify(reflexSchema)) + 50
  const room = promptRoom(talker) - countTokens(reflexInstructions) - schemaTokens
  const messages = [
    { role: 'system' as const, text: reflexInstructions },
    { role: 'user' as const, text: sceneText(scene, Math.max(0, room)) },
  ]
  const { reply, call } = await ask(parts, talker, { purpose: 'reflex', messages, schema: reflexSchema }, signal)
  // Whoever waited has gone: no step will record it.
  if (signal.aborted) await parts.calls.record(call)
  else calls.push(call)
  return reply.cutOff || reply.calls.length > 0 ? undefined : readReflex(reply.text)
}

/** Rejects when the signal says so, however little a model heeds it. */
const abortOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
