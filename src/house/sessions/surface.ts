import type { ChatCall, ChatTool } from '../../domain/chat.ts'
import type { Tool } from '../../domain/tool.ts'
import { toolsFor, type Weighed, weigh } from '../tool-surface.ts'
import { delegate } from './delegate.ts'

/**
 * The tools of a turn over what others wrote: those that only read, and delegation where there is somebody to delegate to.
 * Nothing else is there to be called, so nothing a message says can reach it.
 */
export function readingTools(tools: ReadonlyMap<string, Tool>, mayDelegate: boolean): ReadonlyMap<string, Tool> {
  const reading = [...tools].filter(([, tool]) => tool.effect === 'read')
  return new Map(mayDelegate ? [...reading, [delegate.name, delegate]] : reading)
}

const surfaceOf = (tools: ReadonlyMap<string, Tool>) => ({
  stage: 'analyse' as const,
  tainted: true,
  task: { intent: 'read' as const, effects: [] },
  tools,
})

export const offeredTools = (tools: ReadonlyMap<string, Tool>): ChatTool[] => toolsFor(surfaceOf(tools))

export const weighed = (call: ChatCall, tools: ReadonlyMap<string, Tool>): Weighed => weigh(call, surfaceOf(tools))
