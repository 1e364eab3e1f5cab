import { countTokens } from '../../src/memory/tokens.ts'
import { languageProvider } from '../../src/models/language/provider.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { scriptedChat, untilCalledOff, wellFormed } from '../support/scripted-chat.ts'
import { withAgenda } from './builtin/situation.ts'
import { providerContract } from './provider-contract.ts'

providerContract('the built-in model', async () => ({
  provider: withAgenda('# Agenda\n'),
  deterministic: true,
  counts: false,
}))

providerContract('a script', async () => ({ provider: scriptedProvider(), deterministic: true, counts: false }))

for (const contextTokens of [8192, 128_000]) {
  providerContract(`a model of ${contextTokens} tokens that is talked to`, async () => {
    let answers: typeof wellFormed | typeof untilCalledOff = wellFormed
    const chat = scriptedChat({ contextTokens, answer: (request, signal) => answers(request, signal) })
    return {
      provider: languageProvider(chat, { countTokens }),
      deterministic: true,
      counts: true,
      sent: () => chat.requests.map(({ messages }) => messages),
      hang: () => {
        answers = untilCalledOff
      },
    }
  })
}
