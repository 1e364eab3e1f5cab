import type { ChatModel } from '../../src/domain/chat.ts'
import type { Tool } from '../../src/domain/tool.ts'
import { scriptedChat } from '../support/scripted-chat.ts'

/** What an agent is at when the store is left: done, thinking on after a change, or with a change in hand. */
export const agentTitles = {
  done: 'Keep a summary of the day in DONE.md',
  thinks: 'Keep a summary of the week in THINKS.md',
  calls: 'Keep a summary of the month in CALLS.md',
}

const fileOf = (title: string): string => title.split(' ').at(-1) ?? ''

/** Says whether somebody holds things up; what was reached by then. */
export interface Held {
  up: boolean
  reached: Set<string>
}

const never = <T>(held: Held, what: string): Promise<T> => {
  held.reached.add(what)
  return new Promise(() => {})
}

/** An agent that writes the file that its task names, and then says so. */
export const agent = (held: Held): ChatModel =>
  scriptedChat({
    id: 'openai',
    model: 'agent-1',
    tools: true,
    async answer({ messages }) {
      const asked = messages.map(({ text }) => text).join('\n')
      // The report names all tasks, and the order after it the one that it is about.
      const title = Object.values(agentTitles).toSorted((a, b) => asked.lastIndexOf(b) - asked.lastIndexOf(a))[0]!
      if (!messages.some(({ role }) => role === 'tool')) {
        const call = { path: fileOf(title), content: 'Summed up\n' }
        return { text: '', calls: [{ id: 'c1', tool: 'write_file', arguments: JSON.stringify(call) }] }
      }
      return held.up && title === agentTitles.thinks ? never(held, title) : 'It is summed up.'
    },
  })

/** Writes nothing but what it was asked to write into `written`; it may be asked again. */
export function writer(held: Held) {
  const written: string[] = []
  const tool: Tool = {
    name: 'write_file',
    description: 'Writes a file.',
    effect: 'write',
    repeatable: true,
    parse: (args) => args,
    target: ({ path }) => String(path),
    async run({ path }) {
      if (held.up && path === fileOf(agentTitles.calls)) return never(held, agentTitles.calls)
      written.push(String(path))
      return `Wrote ${String(path)}`
    },
  }
  return { tool, written }
}
