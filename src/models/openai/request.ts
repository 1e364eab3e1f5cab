import type { OpenAI } from 'openai'
import type { ChatCall, ChatMessage, ChatRequest } from '../../domain/chat.ts'
import type { Dialect } from './dialect.ts'
import { fitsStrict } from './strict-schema.ts'
import type { ToolNames } from './tool-names.ts'

type Body = OpenAI.Chat.ChatCompletionCreateParamsStreaming
type Message = OpenAI.Chat.ChatCompletionMessageParam

/** A request as it is sent, in the dialect of its server. */
export const bodyOf = (model: string, request: ChatRequest, dialect: Dialect, names: ToolNames): Body => {
  const { messages, schema, maxTokens, tools = [] } = request
  const told = schema !== undefined && (dialect.schema === 'json_object' || dialect.schema === 'words')
  return {
    model,
    messages: messagesOf(told ? withSchemaTold(messages, schema.schema) : messages, names),
    ...(schema === undefined ? {} : formatOf(schema, dialect)),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            type: 'function' as const,
            function: { name: names.wire(name), description: wellFormed(description), parameters },
          })),
          ...(dialect.parallel ? { parallel_tool_calls: true } : {}),
        }),
    [dialect.limit]: maxTokens,
    stream: true,
    ...(dialect.usage ? { stream_options: { include_usage: true } } : {}),
  }
}

const formatOf = (
  { name, schema }: NonNullable<ChatRequest['schema']>,
  dialect: Dialect,
): Pick<Body, 'response_format'> => {
  if (dialect.schema === 'words') return {}
  if (dialect.schema === 'json_object') return { response_format: { type: 'json_object' } }
  const strict = dialect.schema === 'strict' && fitsStrict(schema)
  const plain = name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'answer'
  return {
    response_format: { type: 'json_schema', json_schema: { name: plain, schema, ...(strict ? { strict } : {}) } },
  }
}

/** At the end, where what it says about one request leaves the stable beginning of all of them alone. */
const withSchemaTold = (
  messages: readonly ChatMessage[],
  schema: NonNullable<ChatRequest['schema']>['schema'],
): readonly ChatMessage[] => {
  const told = `Answer with one JSON value that fits this JSON schema, and with nothing else:\n${JSON.stringify(schema)}`
  const last = messages.at(-1)
  return last?.role === 'user'
    ? [...messages.slice(0, -1), { role: 'user', text: `${last.text}\n\n${told}` }]
    : [...messages, { role: 'user', text: told }]
}

const messagesOf = (messages: readonly ChatMessage[], names: ToolNames): Message[] =>
  messages.map((message): Message => {
    const content = wellFormed(message.text)
    switch (message.role) {
      case 'system':
      case 'user':
        return { role: message.role, content }
      case 'tool':
        return { role: 'tool', tool_call_id: message.call, content }
      case 'assistant':
        return message.calls.length === 0
          ? { role: 'assistant', content }
          : {
              role: 'assistant',
              content: content === '' ? null : content,
              tool_calls: message.calls.map((call) => ({
                id: call.id,
                type: 'function' as const,
                function: { name: names.wire(call.tool), arguments: argumentsOf(call) },
              })),
            }
      default:
        return message satisfies never
    }
  })

/** Servers read the arguments of earlier calls again, and fail on what is no JSON object. */
const argumentsOf = ({ arguments: text }: ChatCall): string => {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return wellFormed(text)
  } catch {
    // Told below.
  }
  return JSON.stringify({ unreadable: wellFormed(text) })
}

/** Half a character, left where a text was cut, is no UTF-8, and servers fail on it. */
const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\u{fffd}')
