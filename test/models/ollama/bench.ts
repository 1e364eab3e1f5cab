import type { ChatModel } from '../../../src/domain/chat.ts'
import { minute } from '../../../src/domain/clock.ts'
import { type OllamaChat, ollamaChat } from '../../../src/models/ollama/chat.ts'
import { HandClock } from '../../support/clock.ts'
import { type OllamaServer, type OllamaServerOptions, ollamaServer } from '../../support/ollama-server.ts'

export interface OllamaBench extends AsyncDisposable {
  server: OllamaServer
  clock: HandClock
  model: ChatModel
}

/** A server, and a model on it. */
export const ollamaBench = async (
  settings: Partial<OllamaChat> = {},
  options: OllamaServerOptions = {},
): Promise<OllamaBench> => {
  const server = await ollamaServer(options)
  const clock = new HandClock()
  const model = ollamaChat({
    address: server.address,
    model: 'qwen3',
    contextTokens: 8192,
    keepAlive: 5,
    timeoutMs: 5 * minute,
    clock,
    ...settings,
  })
  return { server, clock, model, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

/** What a model is waited for once its answer has begun. */
export const longestPause = 2 * minute

/** Lets everybody else work until something is so. */
export const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise(setImmediate)
}
