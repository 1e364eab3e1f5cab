import type { ToolCall } from '../../src/domain/escalation.ts'
import type { Tool } from '../../src/domain/tool.ts'
import { scriptedChat } from '../support/scripted-chat.ts'
import { type Held, never } from './golden-held.ts'
import { sessionWords } from './golden-sessions.ts'

/** What an agent is at when the store is left: done, thinking on after a change, or with a change in hand. */
export const agentTitles = {
  done: 'Keep a summary of the day in DONE.md',
  thinks: 'Keep a summary of the week in THINKS.md',
  calls: 'Keep a summary of the month in CALLS.md',
}

const fileOf = (title: string): string => title.split(' ').at(-1) ?? ''

/**
 * An agent that writes the file that its task names and then says so, that proposes calls for the tasks that it is to look
 * deeper into, by their titles, and that talks in sessions.
 */
export const agent = (held: Held, proposals: Readonly<Record<string, readonly ToolCall[]>>) =>
  scriptedChat({
    id: 'openai',
    model: 'agent-1',
    tools: true,
    async answer(request) {
      const { messages } = request
      const said = await sessionWords(request, held)
      if (said !== undefined) return said
      const asked = messages.map(({ text }) => text).join('\n')
      // The report names all tasks, and the order after it the one that it is about.
      const [title = ''] = [...Object.values(agentTitles), ...Object.keys(proposals)].toSorted(
        (one, other) => asked.lastIndexOf(other) - asked.lastIndexOf(one),
      )
      const proposed = proposals[title]
      if (!messages.some(({ role }) => role === 'tool')) {
        const calls = proposed ?? [{ tool: 'write_file', arguments: { path: fileOf(title), content: 'Summed up\n' } }]
        return {
          calls: calls.map((call, n) => ({ id: `c${n}`, tool: call.tool, arguments: JSON.stringify(call.arguments) })),
        }
      }
      if (proposed) return 'It looks urgent.'
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
