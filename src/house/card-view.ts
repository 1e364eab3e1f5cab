import type { Card, ToolCall } from '../domain/escalation.ts'
import type { Tool } from '../domain/tool.ts'
import type { CardView } from '../rpc/services.ts'
import { visible } from '../skills/visible.ts'
import { allowWrite } from './ask-to-write.ts'

/** A card with what its calls touch, taken from the calls themselves and with nothing in them hidden. */
export const cardView = (card: Card, taskTitle: string, tools: ReadonlyMap<string, Tool>): CardView => ({
  ...card,
  taskTitle,
  callsShown: card.calls.map((call) => ({
    tool: visible(call.tool),
    target: visible(targetOf(call, tools)),
    arguments: Object.entries(call.arguments).map(([name, value]) => ({
      name: visible(name),
      value: visible(typeof value === 'string' ? value : JSON.stringify(value)),
    })),
  })),
})

/** A tool may be gone, or may not understand what it was once proposed for; the arguments are shown all the same. */
function targetOf({ tool, arguments: args }: ToolCall, tools: ReadonlyMap<string, Tool>): string {
  if (tool === allowWrite) return String(args.title)
  try {
    return tools.get(tool)?.target(args) ?? ''
  } catch {
    return ''
  }
}
