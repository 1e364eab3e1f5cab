import { onTestFinished } from 'vitest'
import type { ChatCall, ChatModel, ChatReply, ChatRequest } from '../../src/domain/chat.ts'
import type { Decision } from '../../src/domain/decision.ts'
import type { HouseOptions } from '../support/house.ts'
import { scriptedChat } from '../support/scripted-chat.ts'
import { scripted } from './scripted-house.ts'

let made = 0

/** A call as a model writes it. */
export const use = (tool: string, args: object | string): ChatCall => ({
  id: `c${made++}`,
  tool,
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
})

type Said = string | ChatCall[] | Partial<ChatReply>
export type Turn = Said | ((request: ChatRequest, signal: AbortSignal) => Said | Promise<Said>)

const asReply = (said: Said): Partial<ChatReply> =>
  typeof said === 'string' ? { text: said } : Array.isArray(said) ? { text: '', calls: said } : said

/** A model that works with tools and does, turn by turn, what it is told; it says nothing more when there are none left. */
export function agentThat(...turns: Turn[]): ChatModel & { requests: ChatRequest[] } {
  let at = 0
  return scriptedChat({
    id: 'openai',
    model: 'agent-1',
    tools: true,
    async answer(request, signal) {
      const turn = turns[at++] ?? 'Nothing more.'
      return asReply(typeof turn === 'function' ? await turn(request, signal) : turn)
    },
  })
}

/** A house whose one task is judged as told and worked on by an agent. */
export async function agentHouse(
  title: string,
  decision: Decision['decision'],
  agent: ChatModel,
  options: HouseOptions = {},
) {
  const { home, provider } = await scripted(
    {
      decide: () =>
        decision === 'act' ? { decision, reason: 'because', needs: 'tools' } : { decision, reason: 'because' },
    },
    { agent, ...options },
  )
  const task = await home.runtime.tasks.add({ title })
  if (task.asksToWrite) throw new Error('A task that the user adds needs no further yes.')
  return { home, provider, task: () => home.runtime.stores.tasks.get(task.id)! }
}

/** Resolves when the test says so. */
export function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  onTestFinished(() => open())
  return { open, opened }
}
