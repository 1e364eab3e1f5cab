import type { Ollama } from 'ollama'
import { z } from 'zod'
import type { ModelFacts } from '../../domain/chat.ts'
import { type Clock, second } from '../../domain/clock.ts'
import { Fault } from '../../domain/errors.ts'
import { answerGuard } from '../answer-guard.ts'
import { ollamaClient } from './client.ts'
import { faultOf, missing, noChat, noModel, notOllama, plain, Refusal, unreachable } from './faults.ts'
import { type Shown, show } from './show.ts'

/** Which Ollama to ask, and for which of its models; without one, for the first that can be talked to. */
export interface Wanted {
  address: string
  model?: string
  clock: Clock
  fetch?: typeof fetch
}

/** What a model holds of which Ollama does not know. */
const usualContext = 4096

/** These questions need no model in memory: whoever takes longer is not there. */
const patience = 10 * second

/** How many models are looked at for one that can be talked to. */
const mostTried = 20

const Listed = z.looseObject({
  name: z.string().min(1),
  details: z
    .looseObject({ family: z.string().nullish(), families: z.array(z.string()).nullish() })
    .nullish()
    .catch(null),
})
type Listed = z.infer<typeof Listed>

/**
 * Finds out, without a word to a model, whether Ollama is there and what the model can do. Faults: `model/unreachable`,
 * `model/missing` when the model, or any, is not there, `model/bad-answer` when something else answers.
 */
export async function findOllama({ address, model, clock, fetch }: Wanted, signal: AbortSignal): Promise<ModelFacts> {
  using guard = answerGuard({ clock, signal, firstMs: patience, idleMs: patience, totalMs: patience, maxChars: 0 })
  const connection = new AbortController()
  const close = () => connection.abort()
  guard.signal.addEventListener('abort', close)
  try {
    guard.signal.throwIfAborted()
    const client = await ollamaClient({ address, signal: connection.signal, ...(fetch && { fetch }) })
    const listed = await list(client, address)
    return model === undefined ? await firstOf(client, listed, address) : await factsOf(client, model, listed, address)
  } catch (error) {
    const fault = guard.fault(named(error, address, model ?? 'any model'))
    throw fault.code === 'model/timeout' ? unreachable(address, `no answer within ${patience / second} seconds`) : fault
  } finally {
    close()
  }
}

const named = (error: unknown, address: string, model: string): Fault =>
  error instanceof Fault
    ? error
    : error instanceof Refusal
      ? faultOf(error, { address, model })
      : notOllama(address, plain(error instanceof Error ? error.message : String(error)))

const list = async (client: Ollama, address: string): Promise<Listed[]> => {
  const { success, data } = z.looseObject({ models: z.array(z.unknown()).nullable() }).safeParse(await client.list())
  if (!success) throw notOllama(address, 'a list of models that is none')
  return (data.models ?? []).flatMap((entry) => Listed.safeParse(entry).data ?? [])
}

const factsOf = async (client: Ollama, model: string, listed: Listed[], address: string): Promise<ModelFacts> => {
  const shown = await show(client, model)
  if (shown?.chats === false) throw noChat(model)
  if (shown !== null) return facts(model, shown)
  const chats = listed.filter((entry) => !embeds(entry)).map(({ name }) => name)
  throw missing({ address, model }, chats)
}

const firstOf = async (client: Ollama, listed: Listed[], address: string): Promise<ModelFacts> => {
  for (const { name } of listed.filter((entry) => !embeds(entry)).slice(0, mostTried)) {
    const shown = await show(client, name)
    if (shown !== null && shown.chats !== false) return facts(name, shown)
  }
  throw noModel(address)
}

const facts = (model: string, { contextTokens, tools }: Shown): ModelFacts => ({
  model,
  contextTokens: contextTokens ?? usualContext,
  tools,
})

/** Models that turn text into numbers cannot be talked to; servers too old to say so have them in these families. */
const embeds = ({ name, details }: Listed): boolean =>
  /embed|\bbge\b|minilm/i.test(name) ||
  [details?.family ?? '', ...(details?.families ?? [])].some((family) => /bert/i.test(family))
