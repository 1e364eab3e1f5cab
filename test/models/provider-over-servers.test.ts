import { second } from '../../src/domain/clock.ts'
import { countTokens } from '../../src/memory/tokens.ts'
import { languageProvider } from '../../src/models/language/provider.ts'
import { ollamaChat } from '../../src/models/ollama/chat.ts'
import { openaiAddress } from '../../src/models/openai/address.ts'
import { openaiChat } from '../../src/models/openai/chat.ts'
import { HandClock } from '../support/clock.ts'
import { ollamaServer } from '../support/ollama-server.ts'
import { silent } from '../support/openai-replies.ts'
import { openaiServer } from '../support/openai-server.ts'
import { wellFormed } from '../support/scripted-chat.ts'
import { ollamaAsked, openaiAsked } from '../support/served.ts'
import { providerContract } from './provider-contract.ts'

const timeoutMs = 60 * second

for (const contextTokens of [8192, 40_960]) {
  providerContract(`a model of ${contextTokens} tokens on an Ollama server`, async () => {
    const server = await ollamaServer()
    server.reply((body) => ({ text: wellFormed(ollamaAsked(body)) }))
    const { address } = server
    const chat = ollamaChat({
      address,
      model: 'qwen3:latest',
      contextTokens,
      keepAlive: 5,
      timeoutMs,
      clock: new HandClock(),
    })
    return {
      provider: languageProvider(chat, { countTokens }),
      deterministic: true,
      counts: true,
      sent: () => server.chats().map((body) => ollamaAsked(body).messages as { role: 'user'; text: string }[]),
      hang: () => server.reply(() => ({ pieces: null })),
      close: async () => server[Symbol.asyncDispose](),
    }
  })

  providerContract(`a model of ${contextTokens} tokens on an OpenAI-compatible server`, async () => {
    const server = await openaiServer()
    server.reply((body) => ({ text: wellFormed(openaiAsked(body)) }))
    const chat = openaiChat({
      address: openaiAddress(server.address),
      model: 'served',
      contextTokens,
      timeoutMs,
      clock: new HandClock(),
      random: () => 0.5,
    })
    return {
      provider: languageProvider(chat, { countTokens }),
      deterministic: true,
      counts: true,
      sent: () => server.chats().map((body) => openaiAsked(body).messages as { role: 'user'; text: string }[]),
      hang: () => server.reply(() => silent.neverAnswers),
      close: async () => server[Symbol.asyncDispose](),
    }
  })
}
