import type { Message, Tool } from 'ollama'
import type { ChatMessage, ChatRequest, ChatTool } from '../../domain/chat.ts'
import type { JSONType } from '../../domain/json.ts'

/** What a model is held to: to the schema, to JSON of any form, or to nothing but words. */
export type FormatLevel = 'schema' | 'json' | 'words'

/** The messages as Ollama takes them; a schema that nothing else holds the model to is told in the user's last one. */
export const ollamaMessages = ({ messages, schema }: ChatRequest, level: FormatLevel): Message[] => {
  const taken = messages.map(ollamaMessage)
  if (schema === undefined || level === 'schema') return taken
  const words = schemaInWords(schema.schema)
  const last = taken.findLastIndex(({ role }) => role === 'user')
  if (last === -1) return [...taken, { role: 'user', content: words }]
  return taken.map((message, index) =>
    index === last ? { ...message, content: `${message.content}\n\n${words}` } : message,
  )
}

export const schemaInWords = (schema: { [key: string]: JSONType }): string =>
  `Answer with one JSON object and nothing else. It has to fit this JSON schema:\n${JSON.stringify(schema)}`

const ollamaMessage = (message: ChatMessage): Message => {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.text }
    case 'assistant': {
      const { text, calls } = message
      if (calls.length === 0) return { role: 'assistant', content: text }
      const tool_calls = calls.map((call) => ({ function: { name: call.tool, arguments: objectIn(call.arguments) } }))
      return { role: 'assistant', content: text, tool_calls }
    }
    case 'tool':
      return { role: 'tool', content: message.text, tool_name: message.tool }
    default:
      return message satisfies never
  }
}

/** Ollama takes arguments as an object only; what a model wrote in their place may be anything. */
const objectIn = (text: string): { [key: string]: JSONType } => {
  try {
    const value: JSONType = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    return {}
  }
}

export const ollamaTool = ({ name, description, parameters }: ChatTool): Tool => ({
  type: 'function',
  function: { name, description, parameters: parameters as NonNullable<Tool['function']['parameters']> },
})
