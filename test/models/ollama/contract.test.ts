import { systemClock } from '../../../src/house/system-clock.ts'
import { ollamaChat } from '../../../src/models/ollama/chat.ts'
import { findOllama } from '../../../src/models/ollama/find.ts'
import { line } from '../../support/ollama-replies.ts'
import type { ChatBody } from '../../support/ollama-server.ts'
import { type ContractReply, chatContract, realChatContract, type SeenRequest } from '../chat-contract.ts'
import { longestPause, ollamaBench, until } from './bench.ts'

const seen = ({ messages, tools = [], format, options }: ChatBody): SeenRequest => ({
  messages: messages.map(({ role, content, tool_calls, tool_name }) => ({
    role,
    text: content,
    ...(tool_calls && {
      calls: tool_calls.map((call) => ({ tool: call.function.name, arguments: call.function.arguments })),
    }),
    ...(tool_name !== undefined && { answers: tool_name }),
  })),
  tools: tools
    .map((tool) => tool.function)
    .map(({ name, description, parameters }) => ({ name, description, parameters })),
  schema: format,
  maxTokens: options.num_predict,
})

chatContract('Ollama', async () => {
  const { server, clock, model } = await ollamaBench()
  let awaited: ContractReply['silence']
  let last: Awaited<ReturnType<typeof server.next>>
  let open = true
  return {
    model,
    answer({ silence, ...reply }) {
      awaited = silence
      server.reply(() =>
        silence === undefined
          ? reply
          : { pieces: silence === 'atOnce' ? null : [line('qwen3', { content: reply.text ?? '' })], end: 'never' },
      )
    },
    seen: () => seen(server.chats().at(-1)!),
    asks: () => server.chats().length,
    async asked() {
      last = await server.next('/api/chat')
      if (awaited === 'inTheMiddle') await until(() => clock.nextWakeAt === clock.now() + longestPause)
    },
    async closed() {
      await last.closed
    },
    async close() {
      if (open) await server[Symbol.asyncDispose]()
      open = false
    },
  }
})

/** An address, and behind a bar the name of a model. */
const [address = '', wanted] = (process.env.UNDERMIND_TEST_OLLAMA ?? '').split('|')
if (address !== '')
  realChatContract('Ollama', async () => {
    const asked = { address, clock: systemClock, ...(wanted && { model: wanted }) }
    const { model, contextTokens } = await findOllama(asked, new AbortController().signal)
    const limit = Math.min(contextTokens, 8192)
    return ollamaChat({ address, model, contextTokens: limit, keepAlive: 5, timeoutMs: 300_000, clock: systemClock })
  })
