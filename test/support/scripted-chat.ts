import type { ChatMessage, ChatModel, ChatReply, ChatRequest } from '../../src/domain/chat.ts'
import { Fault } from '../../src/domain/errors.ts'
import { countTokens } from '../../src/memory/tokens.ts'

/** What a scripted model says: its text, or a reply with what is left out filled in. */
export type Said = string | Partial<ChatReply>

export interface ChatScript {
  id?: string
  model?: string
  contextTokens?: number
  tools?: boolean | null
  /** An answer in the form asked for when there is none. */
  answer?: (request: ChatRequest, signal: AbortSignal) => Said | Promise<Said>
}

/** A model that is talked to and answers as it is told; it refuses what it has no room for, as real ones do. */
export function scriptedChat(script: ChatScript = {}): ChatModel & { requests: ChatRequest[] } {
  const requests: ChatRequest[] = []
  const { id = 'scripted', model = 'scripted-1', contextTokens = 32_768, tools = null } = script
  return {
    id,
    model,
    contextTokens,
    requests,
    async chat(request, signal) {
      signal.throwIfAborted()
      requests.push(request)
      const need = request.promptTokens + request.maxTokens
      if (need > contextTokens)
        throw new Fault('model/too-large', `${need} tokens are more than the ${contextTokens} of ${model}.`)
      const said = await (script.answer ?? wellFormed)(request, signal)
      signal.throwIfAborted()
      const reply = typeof said === 'string' ? { text: said } : said
      const text = reply.text ?? ''
      const usage = { promptTokens: countTokens(textOf(request.messages)), completionTokens: countTokens(text) }
      return { text, calls: [], usage, cutOff: false, ...reply }
    },
    async facts() {
      return { model, contextTokens, tools }
    },
  }
}

const textOf = (messages: readonly ChatMessage[]): string => messages.map(({ text }) => text).join('\n')

/** An answer that is never given: it ends when the call is called off, with the reason. */
export const untilCalledOff = (_request: unknown, signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

/**
 * What a plain model answers: the same short result for every task and every step, with the first line of the
 * first change as its source. Every answer fits the schema of its request.
 */
export function wellFormed({ messages, schema }: Pick<ChatRequest, 'messages' | 'schema'>): string {
  const sources = sourcesIn(messages)
  switch (schema?.name) {
    case 'judgement':
      return JSON.stringify({
        evaluations: tasksIn(schema.schema).map((task_id) => ({
          task_id,
          reason: 'something changed',
          decision: 'act',
          text: 'Something changed.',
          needs: null,
          sources,
        })),
      })
    case 'analysis':
      return JSON.stringify({
        kind: 'result',
        text: 'Looked at it.',
        title: null,
        summary: null,
        priority: null,
        calls: [],
        sources,
      })
    case 'intent':
      return '{"intent":"read"}'
    default:
      return JSON.stringify({ text: 'Here it is.', sources })
  }
}

/** The ids that a schema of judgement names, wherever it has them. */
export function tasksIn(schema: unknown): string[] {
  const found = JSON.stringify(schema).match(/"task_id":(\{[^{}]*\})/)?.[1] ?? '{}'
  return (JSON.parse(found) as { enum?: string[] }).enum ?? []
}

function sourcesIn(messages: readonly ChatMessage[]): { source: string; key: string; quote: string | null }[] {
  const lines = textOf(messages).split('\n')
  const heading = lines.findIndex((line) => line.startsWith('### '))
  const item = lines.slice(heading).findIndex((line) => /^\* \w+ \S/.test(line))
  if (heading < 0 || item < 0) return []
  const key = /^\* \w+ (\S+?),?(?: |$)/.exec(lines[heading + item] ?? '')?.[1] ?? ''
  const quote = /^[+-] (?<line>.+)/.exec(lines[heading + item + 1] ?? '')?.groups?.line ?? null
  return [{ source: lines[heading]!.slice('### '.length), key, quote }]
}
