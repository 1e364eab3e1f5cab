import type { OpenAI } from 'openai'
import type { ModelFacts } from '../../domain/chat.ts'
import { type Clock, second } from '../../domain/clock.ts'
import { Fault } from '../../domain/errors.ts'
import { answerGuard } from '../answer-guard.ts'
import type { Endpoint } from './endpoint.ts'
import { listed } from './models.ts'
import { NoConnection, Refusal } from './refusal.ts'
import { verdictOn } from './verdict.ts'

interface Question {
  open: () => Promise<OpenAI>
  endpoint: Endpoint
  contextTokens: number
  clock: Clock
  signal: AbortSignal
  timeoutMs: number
}

const longestList = 32 * 1024 * 1024
const longestMs = 20 * second
const mostNamed = 5

/**
 * What the server's list of models tells. A server without one, or with an empty one, is there all the same: then nothing
 * is known but what was set.
 */
export const askFacts = async (question: Question): Promise<ModelFacts> => {
  const { endpoint, contextTokens } = question
  const { model, address } = endpoint
  const found = listed(await listOf(question), model)
  if (found.kind === 'missing')
    throw new Fault(
      'model/missing',
      `There is no model ${model} at ${address}. Of its ${found.others.length} models, the nearest by name: ${nearest(found.others, model)}. Correct the model's name in the settings, or load it there.`,
      { address, model, others: found.others.slice(0, 50) },
    )
  return { model, contextTokens, tools: null, ...(found.kind === 'listed' ? found.facts : {}) }
}

const listOf = async ({ open, endpoint, clock, signal, timeoutMs }: Question): Promise<unknown> => {
  const totalMs = Math.min(timeoutMs, longestMs)
  const guard = answerGuard({ clock, signal, firstMs: totalMs, idleMs: totalMs, totalMs, maxChars: longestList })
  try {
    const client = await open()
    const response: Response = await client.get('/models', { signal: guard.signal }).asResponse()
    return await jsonIn(response)
  } catch (error) {
    if (guard.signal.aborted) throw guard.fault(error)
    const cause: unknown = error instanceof Error && error.cause instanceof Error ? error.cause : error
    if (cause instanceof Refusal && [404, 405, 501].includes(cause.status)) return undefined
    if (cause instanceof NoConnection || cause instanceof Refusal)
      throw verdictOn(cause, endpoint, {}, clock.now()).fault()
    return undefined
  } finally {
    guard[Symbol.dispose]()
  }
}

/** Undefined when it is no JSON, or longer than any list. */
const jsonIn = async ({ body }: Response): Promise<unknown> => {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body ?? []) {
    pieces.push(piece)
    length += piece.length
    if (length > longestList) return undefined
  }
  return JSON.parse(new TextDecoder().decode(Buffer.concat(pieces)))
}

/** Those whose names share the longest piece with the wanted one come first. */
const nearest = (others: readonly string[], model: string): string => {
  const parts = model.toLowerCase().split(/[^a-z0-9]+/)
  const shared = (name: string) =>
    parts.filter((part) => part !== '' && name.toLowerCase().includes(part)).reduce((sum, part) => sum + part.length, 0)
  return [...others]
    .sort((a, b) => shared(b) - shared(a))
    .slice(0, mostNamed)
    .join(', ')
}
