import type { ChatModel, ChatReply, ChatRequest } from '../../domain/chat.ts'
import { type Clock, minute } from '../../domain/clock.ts'
import { Fault } from '../../domain/errors.ts'
import { type AnswerGuard, answerGuard } from '../answer-guard.ts'
import { withoutThinking } from '../thinking.ts'
import { type Answer, brokenOff, readAnswer } from './answer.ts'
import { ollamaClient } from './client.ts'
import { faultOf, missing, Refusal, refusesFormat, tooLarge, truncated } from './faults.ts'
import { findOllama } from './find.ts'
import { type FormatLevel, ollamaMessages, ollamaTool, schemaInWords } from './messages.ts'
import { type Shown, show } from './show.ts'
import { truncationCheck } from './truncation.ts'

export interface OllamaChat {
  address: string
  model: string
  /** Tokens one call may hold, prompt and answer. */
  contextTokens: number
  /** Minutes for which Ollama keeps the model in memory after a call. */
  keepAlive: number
  /** How long a whole answer may take, the loading of the model included. */
  timeoutMs: number
  clock: Clock
  fetch?: typeof fetch
}

/** Contexts come in steps of this size, so that calls of similar length share one. */
const contextStep = 2048

/** A model that is answering does not pause for longer, except while it writes a use of a tool, which comes in one piece. */
const longestPause = 2 * minute

/** UTF-16 units a token comes to at the very most, on average over an answer. */
const charsPerToken = 16

/** What the server and its model turned out to be like. */
interface Known {
  shown: Shown | null
  level: FormatLevel
  /** Only grows: another size makes Ollama load the model anew. */
  numCtx: number
}

/** A model of an Ollama server, which is not spoken to before the first call. */
export function ollamaChat({
  address,
  model,
  contextTokens,
  keepAlive,
  timeoutMs,
  clock,
  fetch,
}: OllamaChat): ChatModel {
  const subject = { address, model }
  const known: Known = { shown: null, level: 'schema', numCtx: 0 }
  const truncation = truncationCheck()

  const ask = async (request: ChatRequest, guard: AnswerGuard, connection: AbortSignal): Promise<ChatReply> => {
    const client = await ollamaClient({ address, signal: connection, ...(fetch && { fetch }) })
    known.shown ??= await show(client, model)
    if (known.shown === null) throw missing(subject)
    const holds = Math.min(contextTokens, known.shown.contextTokens ?? contextTokens)
    const need = request.promptTokens + request.maxTokens
    if (need > holds) throw tooLarge(subject, need, holds)

    for (;;) {
      const tried = known.level
      const { messages, format } = framed(request, tried)
      // One token more than needed: an answer of full length then still leaves room, and a full context means a cut prompt.
      const size = need + 1 + (format.level === 'schema' ? 0 : tokensOf(request))
      known.numCtx = Math.max(known.numCtx, Math.min(Math.ceil(size / contextStep) * contextStep, holds))
      const { numCtx } = known
      try {
        const pieces = await client.chat({
          model,
          messages,
          stream: true,
          keep_alive: `${keepAlive}m`,
          options: { num_ctx: numCtx, num_predict: request.maxTokens },
          ...(format.value !== undefined && { format: format.value }),
          ...(request.tools?.length && { tools: request.tools.map(ollamaTool) }),
          ...(known.shown.thinks === true && { think: false }),
        })
        const answer = await readAnswer(pieces, guard)
        const { end } = answer
        const counts = {
          numCtx,
          promptEvalCount: end.prompt_eval_count,
          evalCount: end.eval_count,
          loadMs: milliseconds(end.load_duration),
        }
        if (truncation.wasTruncated(JSON.stringify(messages), request.promptTokens, numCtx === holds, counts))
          throw truncated(subject, { promptTokens: request.promptTokens, ...counts })
        return replyOf(request, answer)
      } catch (error) {
        const level =
          error instanceof Refusal && format.value !== undefined && refusesFormat(error) ? lower[tried] : null
        if (level === null) throw error
        if (known.level === tried) known.level = level
      }
    }
  }

  return {
    id: 'ollama',
    model,
    contextTokens,

    async chat(request, signal) {
      const need = request.promptTokens + request.maxTokens
      if (need > contextTokens) throw tooLarge(subject, need, contextTokens)
      const idleMs = request.tools?.length ? timeoutMs : Math.min(timeoutMs, longestPause)
      const maxChars = Math.max(1, request.maxTokens) * charsPerToken + contextStep
      using guard = answerGuard({ clock, signal, firstMs: timeoutMs, idleMs, totalMs: timeoutMs, maxChars })
      const connection = new AbortController()
      const close = () => connection.abort()
      guard.signal.addEventListener('abort', close)
      try {
        guard.signal.throwIfAborted()
        return await ask(request, guard, connection.signal)
      } catch (error) {
        const fault = error instanceof Refusal ? faultOf(error, subject) : error
        throw guard.fault(fault instanceof Fault ? fault : brokenOff(fault))
      } finally {
        close()
      }
    },

    facts: (signal) => findOllama({ address, model, clock, ...(fetch && { fetch }) }, signal),
  }
}

const lower: Record<FormatLevel, FormatLevel | null> = { schema: 'json', json: 'words', words: null }

/** Held to a schema a model cannot use tools, so beside tools the schema is told in words. */
const framed = (request: ChatRequest, level: FormatLevel) => {
  const at = request.tools?.length ? 'words' : level
  const value =
    request.schema === undefined || at === 'words' ? undefined : at === 'json' ? 'json' : request.schema.schema
  return { messages: ollamaMessages(request, at), format: { value, level: at } }
}

/** Of the schema in words, from above. */
const tokensOf = ({ schema }: ChatRequest): number =>
  schema === undefined ? 0 : Math.ceil(schemaInWords(schema.schema).length / 2)

const replyOf = (request: ChatRequest, { text, calls, end }: Answer): ChatReply => {
  const before = request.messages.reduce(
    (sum, message) => sum + (message.role === 'assistant' ? message.calls.length : 0),
    0,
  )
  return {
    text: withoutThinking(text),
    calls: calls.map((call, index) => ({ id: `call_${before + index + 1}`, ...call })),
    usage: {
      promptTokens: end.prompt_eval_count ?? request.promptTokens,
      completionTokens: end.eval_count ?? Math.ceil(text.length / 3.6),
    },
    cutOff: end.done_reason === 'length',
  }
}

/** Ollama tells durations in nanoseconds. */
const milliseconds = (nanoseconds: number | undefined): number | undefined =>
  nanoseconds === undefined ? undefined : nanoseconds / 1e6
