import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import type { ChatModel, ChatRequest } from '../../../src/domain/chat.ts'
import { minute } from '../../../src/domain/clock.ts'
import { Fault } from '../../../src/domain/errors.ts'
import { type OpenAIChatOptions, openaiChat } from '../../../src/models/openai/chat.ts'
import { HandClock } from '../../support/clock.ts'
import { type OpenAIServer, type OpenAIServerOptions, openaiServer } from '../../support/openai-server.ts'

export interface Talk extends AsyncDisposable {
  server: OpenAIServer
  clock: HandClock
  model: ChatModel
  ask(request?: Partial<ChatRequest>, signal?: AbortSignal): ReturnType<ChatModel['chat']>
  /** The fault that asking ends in. */
  fault(request?: Partial<ChatRequest>): Promise<Fault>
  /** Waits until the model waits to ask again, turns the clock there, and tells how long that was. */
  nextWait(): Promise<number>
  /** Turns the clock wherever the model waits to ask again, until the work is over. */
  hurry<T>(work: Promise<T>): Promise<T>
}

/** How long the model may fall silent in the middle of an answer. */
export const longestPause = 2 * minute

export const question: ChatRequest = {
  messages: [
    { role: 'system', text: 'You keep an eye on things.' },
    { role: 'user', text: 'What is new?' },
  ],
  promptTokens: 20,
  maxTokens: 100,
}

/** A model and the server it talks to. */
export const talk = async (
  options: Partial<OpenAIChatOptions> & { served?: OpenAIServerOptions } = {},
): Promise<Talk> => {
  const { served, ...rest } = options
  const server = await openaiServer(served)
  const clock = new HandClock()
  const model = openaiChat({
    address: server.address,
    model: 'served',
    contextTokens: 8192,
    timeoutMs: 5 * minute,
    clock,
    random: () => 0.5,
    ...rest,
  })
  const ask: Talk['ask'] = (request = {}, signal = new AbortController().signal) =>
    model.chat({ ...question, ...request }, signal)
  return {
    server,
    clock,
    model,
    ask,
    fault: (request) => faultOf(ask(request)),
    hurry: (work) => hurried(clock, work),
    async nextWait() {
      for (;;) {
        const next = clock.nextWakeAt
        if (next !== null && next - clock.now() <= minute) {
          const wait = next - clock.now()
          clock.set(next)
          return wait
        }
        await turnOfTheLoop()
      }
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** The fault that a promise is rejected with; anything else fails the test. */
export const faultOf = async (promise: Promise<unknown>): Promise<Fault> => {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => error,
  )
  if (outcome instanceof Fault) return outcome
  throw new Error(`No fault, but ${outcome instanceof Error ? outcome.stack : JSON.stringify(outcome)}`)
}

/** Turns the clock wherever somebody waits for less than a minute, until the work is over. */
export const hurried = async <T>(clock: HandClock, work: Promise<T>): Promise<T> => {
  let over = false
  const end = () => {
    over = true
  }
  work.then(end, end)
  while (!over) {
    const next = clock.nextWakeAt
    if (next !== null && next - clock.now() < minute) clock.set(next)
    await turnOfTheLoop()
  }
  return await work
}
