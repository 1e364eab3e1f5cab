import type { ChatTool } from '../domain/chat.ts'
import type { Tool, ToolEffect } from '../domain/tool.ts'

/** What a tool does to the world; one that does not say is taken for the most careful. */
export const effectOf = (tool: Tool): ToolEffect => tool.effect ?? 'external'

/** Of these tools, those that do nothing beyond the effects named. */
export const toolSurface = (tools: Iterable<Tool>, effects: readonly ToolEffect[]): Tool[] =>
  [...tools].filter((tool) => effects.includes(effectOf(tool)))

/** A tool as it is offered to a model. */
export const asChatTool = ({ name, description, parameters }: Tool): ChatTool => ({
  name,
  description,
  parameters: parameters ?? { type: 'object' },
})
