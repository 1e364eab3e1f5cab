import type { RunStage } from '../domain/agent.ts'
import type { ChatCall, ChatTool } from '../domain/chat.ts'
import { failureOf } from '../domain/errors.ts'
import type { ToolCall } from '../domain/escalation.ts'
import type { JSONType } from '../domain/json.ts'
import type { Task } from '../domain/task.ts'
import type { Tool } from '../domain/tool.ts'
import { allowWrite } from './ask-to-write.ts'

/** For whom a surface is made: the rules look at nothing else. */
export interface SurfaceOf {
  stage: RunStage
  tainted: boolean
  task: Pick<Task, 'intent' | 'effects'>
  tools: ReadonlyMap<string, Tool>
}

/** A call as it is to be treated. */
export type Weighed =
  | { standing: 'run'; call: ToolCall; effect: boolean }
  | { standing: 'propose'; call: ToolCall }
  | { standing: 'refuse'; why: string }

const anyObject = { type: 'object', additionalProperties: true } as const
const proposeOnly = ' (Calling it only proposes this to the user.)'

/** The tools that a model is shown. Those that it may not use are there to propose with. */
export function toolsFor(surface: SurfaceOf): ChatTool[] {
  return [...surface.tools.values()]
    .filter((tool) => tool.name !== allowWrite && !(tool.effect === 'notify' && surface.stage === 'analyse'))
    .map((tool) => ({
      name: tool.name,
      description: mayEverRun(tool, surface) ? tool.description : tool.description + proposeOnly,
      parameters: tool.parameters ?? anyObject,
    }))
}

/**
 * Says what becomes of a call. Reading runs. What changes something runs only where the task's own words ask for exactly
 * that tool and target, or the user has approved the plan it belongs to; all else is put to the user. Whatever a model
 * writes, and however it writes it, is read here and nowhere else.
 */
export function weigh({ tool: name, arguments: text }: ChatCall, surface: SurfaceOf): Weighed {
  const tool = surface.tools.get(name)
  if (!tool || name === allowWrite) return { standing: 'refuse', why: `There is no tool ${name}.` }
  const given = argumentsIn(text)
  if (given === undefined) return { standing: 'refuse', why: 'The arguments are no JSON object. Call it again.' }
  return weighCall({ tool: name, arguments: given }, surface)
}

/** The same for a call whose arguments have been read. */
export function weighCall({ tool: name, arguments: given }: ToolCall, surface: SurfaceOf): Weighed {
  const tool = surface.tools.get(name)
  if (!tool || name === allowWrite) return { standing: 'refuse', why: `There is no tool ${name}.` }
  let call: ToolCall
  let target: string
  try {
    call = { tool: name, arguments: tool.parse(given) }
    target = tool.target(call.arguments)
  } catch (error) {
    return { standing: 'refuse', why: failureOf(error).message }
  }
  if (tool.effect === 'read') return { standing: 'run', call, effect: false }
  if (tool.effect === 'notify' && surface.stage === 'analyse') {
    return { standing: 'refuse', why: 'The user reads your answer: say it there.' }
  }
  return isAllowed(tool, target, surface) ? { standing: 'run', call, effect: true } : { standing: 'propose', call }
}

function isAllowed(tool: Tool, target: string, { stage, tainted, task }: SurfaceOf): boolean {
  if (stage === 'analyse') return false
  if (tool.effect === 'notify') return true
  if (task.intent === 'write' && task.effects.some((effect) => effect.tool === tool.name && effect.target === target)) {
    return true
  }
  // Of an approved plan, what others can see comes back as calls when content from outside took part.
  return stage === 'plan' && (tool.effect === 'write' || !tainted)
}

const mayEverRun = (tool: Tool, { stage, tainted, task }: SurfaceOf): boolean =>
  tool.effect === 'read' ||
  (stage !== 'analyse' &&
    (tool.effect === 'notify' ||
      (task.intent === 'write' && task.effects.some((effect) => effect.tool === tool.name)) ||
      (stage === 'plan' && (tool.effect === 'write' || !tainted))))

/** Empty arguments stand for none; a text that holds JSON once more is read once more. */
function argumentsIn(text: string): Record<string, JSONType> | undefined {
  if (text.trim() === '') return {}
  try {
    const first: unknown = JSON.parse(text)
    const value: unknown = typeof first === 'string' ? JSON.parse(first) : first
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, JSONType>)
      : undefined
  } catch {
    return undefined
  }
}
