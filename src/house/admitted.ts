import type { ChatModel } from '../domain/chat.ts'
import type { Accounts } from '../domain/usage.ts'
import { usageOfFailed } from './call-cost.ts'

/** The same model, asked only as far as the day's budget allows. */
export const admitted = (chat: ChatModel, accounts: Pick<Accounts, 'admit'>): ChatModel => ({
  id: chat.id,
  model: chat.model,
  contextTokens: chat.contextTokens,
  facts: (signal) => chat.facts(signal),
  async chat(request, signal) {
    const { promptTokens, maxTokens } = request
    using admission = accounts.admit({ provider: chat.id, model: chat.model, route: 'cloud', promptTokens, maxTokens })
    try {
      const reply = await chat.chat(request, signal)
      admission.spent(reply.usage)
      return reply
    } catch (error) {
      admission.spent(usageOfFailed(error, promptTokens))
      throw error
    }
  },
})
