import type { ChatMessage, ChatReply, ChatRequest, ChatTool } from '../../domain/chat.ts'
import { id, type WorldId } from '../../domain/ids.ts'
import type { CountedCall, Purpose } from '../../domain/usage.ts'
import { conversationTokens } from '../agent-conversation.ts'
import type { SessionParts, Talker } from './parts.ts'

/** The world that sessions are accounted to. */
export const sessionWorld = id<WorldId>('tinyplace')

const longestReply = 4096

export const replyTokens = ({ chat }: Talker): number => Math.min(longestReply, Math.floor(chat.contextTokens / 4))

/** Tokens that a prompt may have beside the reply. */
export const promptRoom = (talker: Talker): number => talker.chat.contextTokens - replyTokens(talker)

export interface Asking {
  purpose: Purpose
  messages: readonly ChatMessage[]
  tools?: readonly ChatTool[]
  schema?: NonNullable<ChatRequest['schema']>
  maxTokens?: number
}

/** One call of a model, and the row that it is counted by. */
export async function ask(
  { calls }: Pick<SessionParts, 'calls'>,
  talker: Talker,
  { purpose, messages, tools = [], schema, maxTokens = replyTokens(talker) }: Asking,
  signal: AbortSignal,
): Promise<{ reply: ChatReply; call: CountedCall }> {
  const promptTokens = conversationTokens(messages, tools) + (schema ? conversationTokens([asText(schema)]) : 0)
  const facts = {
    purpose,
    tick: null,
    batch: null,
    world: sessionWorld,
    evaluation: null,
    tasks: [],
    provider: talker.chat,
    route: talker.route,
    prompt: JSON.stringify(messages),
    promptTokens,
  }
  const offered = { ...(tools.length > 0 && { tools }), ...(schema && { schema }) }
  const { output, call } = await calls.make(facts, signal, () =>
    talker.chat.chat({ messages, promptTokens, maxTokens, ...offered }, signal),
  )
  return { reply: output, call }
}

const asText = (value: unknown): ChatMessage => ({ role: 'user', text: JSON.stringify(value) })
