import type { ChatModel } from '../domain/chat.ts'

/** A model whose provider's code is loaded when it is first asked. A load that failed is tried again. */
export function lazyChat(
  known: Pick<ChatModel, 'id' | 'model' | 'contextTokens'>,
  load: () => Promise<ChatModel>,
): ChatModel {
  let loaded: Promise<ChatModel> | null = null
  const chat = async () => {
    loaded ??= load()
    try {
      return await loaded
    } catch (error) {
      loaded = null
      throw error
    }
  }
  return {
    ...known,
    chat: async (request, signal) => (await chat()).chat(request, signal),
    facts: async (signal) => (await chat()).facts(signal),
  }
}
