import { minute } from '../../../src/domain/clock.ts'
import { systemClock } from '../../../src/house/system-clock.ts'
import { openaiAddress } from '../../../src/models/openai/address.ts'
import { openaiChat } from '../../../src/models/openai/chat.ts'
import { chunk } from '../../support/openai-replies.ts'
import type { CompletionBody, OpenAIRequest } from '../../support/openai-server.ts'
import { type ContractReply, chatContract, realChatContract, type SeenRequest } from '../chat-contract.ts'
import { longestPause, talk } from './talk.ts'

const seen = ({ messages, tools = [], response_format, max_tokens }: CompletionBody): SeenRequest => {
  const uses = messages.flatMap((message) => message.tool_calls ?? [])
  return {
    messages: messages.map(({ role, content, tool_calls, tool_call_id }) => {
      const answers = uses.find((use) => use.id === tool_call_id)?.function.name
      return {
        role,
        text: content ?? '',
        ...(tool_calls && {
          calls: tool_calls.map((use) => ({
            tool: use.function.name,
            arguments: JSON.parse(use.function.arguments) as unknown,
          })),
        }),
        ...(answers !== undefined && { answers }),
      }
    }),
    tools: tools.map((tool) => tool.function),
    schema: response_format?.json_schema?.schema,
    maxTokens: max_tokens,
  }
}

chatContract(
  'OpenAI',
  async () => {
    const { server, clock, model } = await talk()
    let awaited: ContractReply['silence']
    let last: OpenAIRequest
    let open = true
    return {
      model,
      answer({ silence, calls, promptTokens = 100, completionTokens = 10, ...reply }) {
        awaited = silence
        server.reply(() =>
          silence === undefined
            ? {
                ...reply,
                ...(calls && {
                  calls: calls.map((call) => ({ tool: call.tool, arguments: JSON.stringify(call.arguments) })),
                }),
                usage: { prompt_tokens: promptTokens, completion_tokens: completionTokens },
              }
            : { pieces: silence === 'atOnce' ? undefined : [chunk({ content: reply.text ?? '' })], end: 'never' },
        )
      },
      seen: () => seen(server.chats().at(-1)!),
      asks: () => server.chats().length,
      async asked() {
        last = await server.next()
        if (awaited === 'inTheMiddle')
          while (clock.nextWakeAt !== clock.now() + longestPause) await new Promise(setImmediate)
      },
      async closed() {
        await last.closed
      },
      async close() {
        if (open) await server[Symbol.asyncDispose]()
        open = false
      },
    }
  },
  { toolName: (tool) => tool.replace('.', '_') },
)

/** An address, and behind a bar the name of a model. */
const [address = '', model = ''] = (process.env.UNDERMIND_TEST_OPENAI ?? '').split('|')
const key = process.env.UNDERMIND_TEST_OPENAI_KEY
if (address !== '')
  realChatContract('OpenAI', async () =>
    openaiChat({
      address: openaiAddress(address),
      model,
      ...(key === undefined ? {} : { key }),
      contextTokens: 4096,
      timeoutMs: 10 * minute,
      clock: systemClock,
      random: () => 0.5,
    }),
  )
