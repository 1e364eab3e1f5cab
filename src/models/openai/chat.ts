import type { ChatModel, ChatReply, ChatRequest } from '../../domain/chat.ts'
import type { Clock } from '../../domain/clock.ts'
import { Fault } from '../../domain/errors.ts'
import { askOnce } from './ask.ts'
import { keyToSend, lazyClient } from './client.ts'
import { type Dialect, fullDialect, lowerSchema, withoutGuessed, withoutNamed } from './dialect.ts'
import type { Endpoint } from './endpoint.ts'
import { askFacts } from './facts.ts'
import { patience } from './patience.ts'
import { Refusal } from './refusal.ts'
import { bodyOf } from './request.ts'
import { ignoresSchema } from './schema-kept.ts'
import { toolNames } from './tool-names.ts'
import { bothUsages } from './usage.ts'
import { type Verdict, verdictOn } from './verdict.ts'

export interface OpenAIChatOptions {
  /** As `openaiAddress` makes it. */
  address: string
  model: string
  /** Not given: none is sent. */
  key?: string
  /** Tokens one call may hold, prompt and answer. */
  contextTokens: number
  /** After this time a call is given up, waiting and trying again included. */
  timeoutMs: number
  clock: Clock
  /** From 0 up to 1; spreads the times at which calls are tried again. */
  random: () => number
  /** Whether to name each request, so that a server that knows such names answers one sent again only once. */
  idempotencyKeys?: boolean
}

/**
 * A model behind any endpoint that speaks OpenAI's protocol for chat. What such a server does not take is left out of later
 * requests; limits and failures that pass soon are waited for. Faults as of `ChatModel`, and `model/refused` when the
 * model or a filter declines, `model/bad-request` when the server does not take the request at all. No fault has the key.
 */
export function openaiChat(options: OpenAIChatOptions): ChatModel {
  const { address, model, contextTokens, timeoutMs, clock, random } = options
  const known: Dialect = { ...fullDialect }
  let client: ReturnType<typeof lazyClient> | undefined
  const connect = (): { endpoint: Endpoint; open: ReturnType<typeof lazyClient> } => {
    const key = keyToSend(options.key)
    client ??= lazyClient(address, key)
    return { endpoint: { address, model, key }, open: client }
  }

  /** Asks until there is an answer, in ever simpler words where the server minds, or nothing more to be done. */
  const converse = async (request: ChatRequest, signal: AbortSignal, until: number): Promise<ChatReply> => {
    const { endpoint, open } = connect()
    const again = patience({ clock, random, until, signal })
    const names = toolNames(request)
    const learned: Partial<Dialect> = {}
    let headers = nameOf(options)
    let complaint: Verdict | undefined
    for (;;) {
      const dialect: Dialect = { ...known, ...learned }
      const body = bodyOf(model, request, dialect, names)
      const totalMs = Math.max(1, until - clock.now())
      try {
        const draft = await askOnce({ open, endpoint, request, names, body, headers, clock, signal, totalMs })
        const reply = draft.reply(request, JSON.stringify([body.messages, body.tools]).length)
        Object.assign(known, learned)
        return reply
      } catch (error) {
        const verdict = verdictOn(error, endpoint, request, clock.now())
        let simpler = error instanceof Refusal ? withoutNamed(dialect, request, error) : undefined
        if (simpler === undefined && verdict.again === 'unclear') {
          // The first complaint is about the whole request; later ones may be about what is left of it.
          complaint ??= verdict
          simpler = withoutGuessed(dialect, request)
        }
        if (simpler === undefined) await again(verdict.again === 'unclear' ? (complaint ?? verdict) : verdict)
        else {
          Object.assign(learned, simpler)
          headers = nameOf(options)
        }
      }
    }
  }

  const chat = async (request: ChatRequest, signal: AbortSignal): Promise<ChatReply> => {
    if (request.promptTokens + request.maxTokens > contextTokens) throw tooLarge(options, request)
    const until = clock.now() + timeoutMs
    let reply = await converse(request, signal, until)
    for (;;) {
      const simpler = ignoresSchema(reply, request) ? lowerSchema(known) : undefined
      if (simpler === undefined) return reply
      Object.assign(known, simpler)
      try {
        const next = await converse(request, signal, until)
        reply = { ...next, usage: bothUsages(reply.usage, next.usage) }
      } catch (error) {
        if (signal.aborted) throw error
        // An answer without the form that was asked for is more than none.
        return reply
      }
    }
  }

  return {
    id: 'openai',
    model,
    contextTokens,
    chat,
    facts: async (signal) => askFacts({ ...connect(), contextTokens, clock, signal, timeoutMs }),
  }
}

/** A fresh name for a request; the same one goes with it each time it is sent. */
const nameOf = ({ idempotencyKeys = false, random }: OpenAIChatOptions): Record<string, string> => {
  if (!idempotencyKeys) return {}
  const part = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')
  return { 'Idempotency-Key': `undermind-${part()}${part()}${part()}` }
}

const tooLarge = ({ model, contextTokens }: OpenAIChatOptions, { promptTokens, maxTokens }: ChatRequest): Fault =>
  new Fault(
    'model/too-large',
    `Cannot ask ${model}: the prompt needs ${promptTokens} tokens and its answer ${maxTokens}, and one call may hold ${contextTokens}. Raise context_tokens if the model can hold more, or give it less to read.`,
    { model, promptTokens, maxTokens, contextTokens },
  )
