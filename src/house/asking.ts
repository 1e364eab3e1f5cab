import type { Asked } from '../actors/tick.ts'
import type { ChatMessage, ChatModel } from '../domain/chat.ts'
import { Fault } from '../domain/errors.ts'
import { type CallId, id, type TickId, type WorldId } from '../domain/ids.ts'
import type { Question, Reading } from '../domain/world.ts'
import { conversationTokens } from './agent-conversation.ts'
import type { Calls } from './calls.ts'
import type { Routes } from './routes.ts'

export interface AskingParts {
  calls: Calls
  routes: Routes
}

export interface Inquiry {
  tick: TickId
  world: WorldId
  stage: 'judge' | 'analyse'
  ask: Question
  parse(text: string): Reading
}

/** Of its own answer a model is shown no more than this. */
const mostOfAnswer = 2000

/**
 * Asks a profile's question, without tools, and once more where the answer is not in the form asked for. Throws what the
 * provider throws; an answer that is none, twice, is no error.
 */
export async function inquire(inquiry: Inquiry, { calls, routes }: AskingParts, signal: AbortSignal): Promise<Asked> {
  const { tick, world, stage, ask, parse } = inquiry
  const chat = routes.chatOf(stage)
  if (!chat) throw new Fault('model/cannot-ask', 'There is no language model to ask any more.', { stage })
  const first: ChatMessage[] = [
    { role: 'system', text: ask.system },
    { role: 'user', text: ask.user },
  ]
  const open = calls.begin({
    purpose: 'ask',
    tick,
    batch: null,
    world,
    evaluation: null,
    tasks: [],
    provider: chat,
    route: routes.route(stage),
    prompt: JSON.stringify(first),
    promptTokens: conversationTokens(first),
  })
  const say = (messages: ChatMessage[]) => {
    signal.throwIfAborted()
    return open.ask(() => chat.chat(requestOf(messages, ask, chat), signal))
  }
  try {
    const { text } = await say(first)
    let reading = parse(text)
    if (reading.kind === 'broken') reading = parse((await say([...first, ...repair(text, reading.problem)])).text)
    await open.dropped(signal)
    return {
      call: open.ended(id<CallId>(`call_${tick.slice('tick_'.length)}_ask`)),
      answer: reading.kind === 'answer' ? reading.answer : null,
      broken:
        reading.kind === 'broken'
          ? `${chat.model} did not answer in the form asked for, twice: ${reading.problem}`
          : null,
    }
  } catch (error) {
    await open.failed(error)
    throw error
  }
}

const requestOf = (messages: ChatMessage[], { maxTokens }: Question, chat: ChatModel) => ({
  messages,
  promptTokens: conversationTokens(messages),
  maxTokens: Math.min(maxTokens, Math.floor(chat.contextTokens / 4)),
})

const repair = (answer: string, problem: string): ChatMessage[] => [
  { role: 'assistant', text: answer.trim().slice(0, mostOfAnswer) || '…', calls: [] },
  {
    role: 'user',
    text: `Your answer cannot be used: ${problem} Answer again, in exactly the form that was asked for.`,
  },
]
