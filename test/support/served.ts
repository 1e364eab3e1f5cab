import type { ChatCall, ChatMessage } from '../../src/domain/chat.ts'
import type { JSONType } from '../../src/domain/json.ts'
import type { OllamaReply } from './ollama-replies.ts'
import type { ChatBody } from './ollama-server.ts'
import type { OpenAIReply } from './openai-replies.ts'
import type { CompletionBody } from './openai-server.ts'
import { tasksIn } from './scripted-chat.ts'

/** What a server on loopback is asked, whatever protocol it speaks. */
export interface Asked {
  messages: ChatMessage[]
  /** What was asked for; undefined for a turn of an agent and for a question in plain words. */
  schema?: { name: string; schema: { [key: string]: JSONType } }
  /** Names of the tools that are offered. */
  tools: string[]
}

export interface Spoken {
  text?: string
  calls?: Pick<ChatCall, 'tool' | 'arguments'>[]
}

/** Ollama is told the schema without its name. */
export function ollamaAsked({ messages, format, tools = [] }: ChatBody): Asked {
  const schema = format as { properties?: object; [key: string]: unknown } | undefined
  const names = Object.keys(schema?.properties ?? {})
  const name = names.includes('evaluations') ? 'judgement' : names.includes('kind') ? 'analysis' : names[0]
  return {
    messages: messages.map(({ role, content }) => ({ role: role as 'user', text: content })),
    ...(schema && name && { schema: { name, schema: schema as { [key: string]: JSONType } } }),
    tools: tools.map((tool) => tool.function.name),
  }
}

export function openaiAsked({ messages, response_format, tools = [] }: CompletionBody): Asked {
  const told = response_format?.json_schema
  return {
    messages: messages.map(({ role, content }) => ({ role: role as 'user', text: content ?? '' })),
    ...(told && { schema: { name: told.name, schema: told.schema as { [key: string]: JSONType } } }),
    tools: tools.map((tool) => tool.function.name),
  }
}

export const ollamaSays = ({ text = '', calls = [] }: Spoken): OllamaReply => ({
  text,
  calls: calls.map(({ tool, arguments: args }) => ({ tool, arguments: JSON.parse(args) as unknown })),
})

export const openaiSays = ({ text = '', calls = [] }: Spoken): OpenAIReply => ({ text, calls })

/** A judgement in which every task has the same verdict. */
export const judging = ({ schema }: Pick<Asked, 'schema'>, verdict: object): Spoken => ({
  text: JSON.stringify({
    evaluations: tasksIn(schema?.schema ?? {}).map((task_id) => ({
      task_id,
      reason: 'something changed',
      text: null,
      needs: null,
      sources: [],
      ...verdict,
    })),
  }),
})

export const acts = { decision: 'act', text: 'Something changed.' }
export const skips = { decision: 'skip' }
export const escalates = { decision: 'escalate' }
