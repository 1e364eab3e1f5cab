import { Buffer } from 'node:buffer'
import type { ChatMessage, ChatModel } from '../../domain/chat.ts'
import type { Intent } from '../../domain/task.ts'
import { valuesIn } from '../answer-values.ts'
import { intentInstructions } from './instructions.ts'
import { plainLine } from './plain-line.ts'
import { intentSchema } from './schemas.ts'

const answerTokens = 400

/**
 * Whether a task's words ask to change something, asked of a model; null when that stays unclear or the model fails.
 * Throws only the signal's reason.
 */
export async function classifyIntent(chat: ChatModel, title: string, signal: AbortSignal): Promise<Intent | null> {
  const messages: ChatMessage[] = [
    { role: 'system', text: intentInstructions },
    { role: 'user', text: JSON.stringify({ task: plainLine(title) }) },
  ]
  // No token is shorter than a byte.
  const promptTokens = messages.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  try {
    const reply = await chat.chat({ messages, schema: intentSchema, promptTokens, maxTokens: answerTokens }, signal)
    return reply.cutOff ? null : intentIn(reply.text)
  } catch {
    signal.throwIfAborted()
    return null
  }
}

/** The one intent that an answer names, in JSON or as its only word. */
function intentIn(answer: string): Intent | null {
  const named = valuesIn(answer, ({ open }) => open.length === 0).reads.flatMap(({ value }) =>
    !Array.isArray(value) && 'intent' in value ? [value.intent] : [],
  )
  const words = new Set(
    (named.length > 0 ? named : [answer.replaceAll(/[^a-z]/gi, '')]).map((word) => String(word).toLowerCase()),
  )
  const [word] = words
  return words.size === 1 && (word === 'read' || word === 'write') ? word : null
}
