import type { OpenAI } from 'openai'
import type { ChatRequest } from '../../domain/chat.ts'
import { type Clock, minute, second } from '../../domain/clock.ts'
import { Fault } from '../../domain/errors.ts'
import { type AnswerLimits, answerGuard } from '../answer-guard.ts'
import { Draft } from './draft.ts'
import type { Endpoint } from './endpoint.ts'
import { listen } from './listen.ts'
import { Broken, NoConnection, Refusal } from './refusal.ts'
import type { ToolNames } from './tool-names.ts'
import { brokeOff } from './verdict.ts'

/** One request on its way. */
interface Asking {
  open: () => Promise<OpenAI>
  endpoint: Endpoint
  request: ChatRequest
  names: ToolNames
  body: OpenAI.Chat.ChatCompletionCreateParamsStreaming
  headers: Record<string, string>
  clock: Clock
  signal: AbortSignal
  /** How long it may take in all. */
  totalMs: number
}

/** Long, since servers keep a use of a tool to themselves until they have all of it. */
const idleMs = 2 * minute
/** How long the token counts, which come behind the answer, are waited for. */
const countsMs = 5 * second
/** A token is rarely longer; thoughts, which some servers do not count, have room besides. */
const mostCharsPerToken = 16
const roomForThoughts = 200_000

/** Asks once. Throws a fault, or what the server did instead of answering, to be judged by `verdictOn`. */
export const askOnce = async (asking: Asking): Promise<Draft> => {
  const { clock, endpoint } = asking
  const draft = new Draft(asking.names, endpoint)
  const guard = answerGuard(limitsOf(asking))
  const enough = new AbortController()
  let callOff: (() => void) | undefined
  try {
    const client = await asking.open()
    const response = await client.chat.completions
      .create(asking.body, { signal: AbortSignal.any([guard.signal, enough.signal]), headers: asking.headers })
      .asResponse()
    await listen(response.body ?? nothing(), draft, endpoint, {
      heard: guard.heard,
      complete: () => {
        callOff ??= clock.wakeAt(clock.now() + countsMs, () => enough.abort())
      },
    })
  } catch (error) {
    if (guard.signal.aborted) throw guard.fault(error)
    if (!draft.finished) throw instead(error, draft, endpoint)
  } finally {
    callOff?.()
    guard[Symbol.dispose]()
  }
  // A stream that was left may end as if it were complete.
  if (guard.signal.aborted) throw guard.fault(undefined)
  return draft
}

const limitsOf = ({ clock, signal, totalMs, request }: Asking): AnswerLimits => ({
  clock,
  signal,
  firstMs: totalMs,
  idleMs: Math.min(idleMs, totalMs),
  totalMs,
  maxChars: request.maxTokens * mostCharsPerToken + roomForThoughts,
})

const instead = (error: unknown, draft: Draft, endpoint: Endpoint): unknown => {
  const cause: unknown = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const known = cause instanceof Refusal || cause instanceof NoConnection || cause instanceof Broken
  if (draft.begun && cause instanceof Refusal) return brokeOff(cause.words, endpoint)
  if (draft.begun && cause instanceof Broken) return brokeOff(cause.message, endpoint)
  if (known || cause instanceof Fault) return cause
  return draft.begun ? brokeOff('the connection ended', endpoint) : new Broken('the connection ended')
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
