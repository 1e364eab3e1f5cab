import type { RunStep } from '../domain/agent.ts'
import type { ChatMessage, ChatTool } from '../domain/chat.ts'
import { fenceAround, withoutFences } from '../memory/fence.ts'
import { countTokens } from '../memory/tokens.ts'
import { cut } from '../models/builtin/quote.ts'

/** What a run has said and heard so far; a summary stands for all that it was made from. */
export function conversation(steps: readonly RunStep[]): ChatMessage[] {
  const summary = steps.findLastIndex(({ kind }) => kind === 'summary')
  const kept = summary < 0 ? steps : steps.filter(({ kind }, index) => kind === 'prompt' || index >= summary)
  return kept.map(({ message }) => message)
}

export const conversationTokens = (messages: readonly ChatMessage[], tools: readonly ChatTool[] = []): number =>
  messages.reduce((sum, message) => sum + tokensOf(message), 0) +
  (tools.length > 0 ? countTokens(JSON.stringify(tools)) : 0)

const perMessage = 8

const tokensOf = (message: ChatMessage): number =>
  perMessage +
  countTokens(message.text) +
  (message.role === 'assistant' && message.calls.length > 0 ? countTokens(JSON.stringify(message.calls)) : 0)

const longestAnswer = 24_000

/** A tool's answer as a model is shown it: data in a fence that nothing in it can close, and no longer than it may be. */
export function asData(text: string): string {
  const cut =
    text.length <= longestAnswer
      ? text
      : `${text.slice(0, longestAnswer)}\n… (${text.length - longestAnswer} characters left out)`
  const safe = withoutFences(cut)
  const { open, close } = fenceAround([safe])
  return `${open}\n${safe}\n${close}`
}

/** Tokens below which an answer of a tool is left as it is. */
const leastAnswer = 200

/**
 * The same conversation in so many tokens: where it has more, the longest answers of tools are shortened first. What is
 * left out of them can be read again in parts.
 */
export function fitted(messages: readonly ChatMessage[], tokens: number): ChatMessage[] {
  const fitting = [...messages]
  for (let over = conversationTokens(fitting) - tokens; over > 0; over = conversationTokens(fitting) - tokens) {
    const sizes = fitting.map((message) => (message.role === 'tool' ? tokensOf(message) : 0))
    const longest = sizes.indexOf(Math.max(...sizes))
    const message = fitting[longest]
    if (message === undefined || sizes[longest]! <= leastAnswer) return fitting
    fitting[longest] = { ...message, text: halved(message.text) }
  }
  return fitting
}

/** The first half of what stands in the fence, and the fence. */
function halved(text: string): string {
  const [open = '', ...rest] = text.split('\n')
  const close = rest.pop() ?? ''
  const data = rest.join('\n')
  return `${open}\n${cut(data, data.length >> 1)}\n… (the rest is left out: there is no room for it)\n${close}`
}

/** The beginning of a text, on one line. */
export const briefly = (text: string, most = 200): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`
}
