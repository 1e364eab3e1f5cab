import type { Thinking } from '../actors/agent-run.ts'
import type { ToolSaid } from '../actors/tool-call.ts'
import type { WorkHandler } from '../actors/work.ts'
import type { AgentRun, RunStage, RunStep } from '../domain/agent.ts'
import type { ChatMessage, ChatModel, ChatReply, ChatTool } from '../domain/chat.ts'
import type { Clock } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'
import type { RunId } from '../domain/ids.ts'
import type { Tool } from '../domain/tool.ts'
import type { CountedCall, Purpose, Route } from '../domain/usage.ts'
import type { CompactWork, OpenCall, ThinkWork, Thought } from '../machines/agent-run-words.ts'
import type { ToolWork } from '../machines/tool-call.ts'
import { compactPrompt } from '../models/language/agent-prompt.ts'
import { recommendedAction } from '../models/language/recommended-action.ts'
import { asData, briefly, conversation, conversationTokens, fitted } from './agent-conversation.ts'
import type { Calls } from './calls.ts'
import type { Stores } from './stores.ts'
import { toolRun } from './tool-run.ts'
import { type SurfaceOf, toolsFor, type Weighed, weigh, weighCall } from './tool-surface.ts'

export interface AgentParts {
  stores: Stores
  clock: Clock
  calls: Calls
  tools: ReadonlyMap<string, Tool>
  concurrency: number
  /** The model that works with tools, once the local one has been looked for; throws `model/needs-agent` where there is none. */
  agent(stage: RunStage, signal: AbortSignal): Promise<ChatModel>
  /** Called when that model has said that it cannot. */
  lacksTools(stage: RunStage): void
  /** Which of the two models that is. */
  route(stage: RunStage): Route
  /** Throws a Fault while the workspace may not be written to. */
  assertTrusted(): void
}

/** Tool calls are mostly reads of small files. */
const toolsAtOnce = 8
const longestReply = 4096
const lastWord: ChatMessage = {
  role: 'user',
  text: 'You have no more steps and no more tools. Answer now with what you have.',
}

/** The work that agent runs and their tool calls order. */
export function agentWork(parts: AgentParts) {
  const think: WorkHandler<ThinkWork, Thinking> = {
    concurrency: parts.concurrency,
    repeatable: () => true,
    async run({ run: given, last }, { signal }) {
      const run = knownRun(parts.stores, given)
      const steps = parts.stores.agentRuns.steps(run.id)
      const surface = surfaceOf(parts, run)
      const tools = last ? [] : toolsFor(surface)
      const messages = [...conversation(steps), ...(last ? [lastWord] : [])]
      const { reply, call } = await ask(parts, run, { purpose: 'agent', messages, tools }, signal)
      return thought(reply, { call, surface, last, next: (steps.at(-1)?.n ?? -1) + 1, before: conversation(steps) })
    },
  }
  const compact: WorkHandler<CompactWork, Thinking<{ tokens: number; size: number }>> = {
    concurrency: parts.concurrency,
    repeatable: () => true,
    async run({ run: given }, { signal }) {
      const run = knownRun(parts.stores, given)
      const steps = parts.stores.agentRuns.steps(run.id)
      const messages = compactPrompt(conversation(steps))
      const { reply, call } = await ask(
        parts,
        run,
        { purpose: 'compact', messages, tools: toolsFor(surfaceOf(parts, run)) },
        signal,
      )
      if (reply.text.trim() === '')
        throw new Fault('model/bad-answer', 'The agent was asked to sum up and said nothing.')
      const n = (steps.at(-1)?.n ?? -1) + 1
      const message: ChatMessage = { role: 'user', text: `What was done and found so far:\n${asData(reply.text)}` }
      const summary = { n, kind: 'summary' as const, message, call: null, effect: false, open: false }
      const size = conversationTokens(conversation([...steps, { ...summary, at: 0 }]))
      return { kept: { call, steps: [summary] }, told: { tokens: tokensUsed(reply), size } }
    },
  }
  const call: WorkHandler<ToolWork, ToolSaid> = {
    concurrency: toolsAtOnce,
    repeatable: ({ tool }) => parts.tools.get(tool)?.repeatable ?? false,
    async run({ run: given, n, evaluation }, { key, signal }) {
      const run = knownRun(parts.stores, given)
      const { tool, weighed } = callOf(parts, run, n)
      if (tool.effect !== 'read') parts.assertTrusted()
      const said = await tool.run(weighed.call.arguments, toolRun(parts, key, evaluation, signal))
      return answer(weighed, said)
    },
    async check({ run: given, n, evaluation }, { key, signal }) {
      const { tool, weighed } = callOf(parts, knownRun(parts.stores, given), n)
      const outcome = (await tool.check?.(weighed.call.arguments, toolRun(parts, key, evaluation, signal))) ?? 'unknown'
      if (outcome !== 'happened') return { outcome }
      return { outcome, output: answer(weighed, `${tool.target(weighed.call.arguments)}: done`) }
    },
  }
  return { 'agentRun.think': think, 'agentRun.compact': compact, 'toolCall.run': call }
}

function knownRun({ agentRuns }: Stores, run: RunId): AgentRun {
  const known = agentRuns.get(run)
  if (!known) throw new Fault('agent/unknown-run', `There is no agent run ${run}.`, { run })
  return known
}

function surfaceOf({ stores, tools }: AgentParts, { stage, tainted, task }: AgentRun): SurfaceOf {
  const row = stores.tasks.get(task)
  if (!row) throw new Fault('task/unknown', 'The task of this agent is gone.', { task })
  return { stage, tainted, task: row, tools }
}

interface Asking {
  purpose: Purpose
  messages: ChatMessage[]
  tools: ChatTool[]
}

/** One model call; it is counted with the step that it leads to, or at once when nothing comes of it. */
async function ask(
  { calls, agent: agentOf, lacksTools, route: routeOf }: AgentParts,
  run: AgentRun,
  { purpose, messages: whole, tools }: Asking,
  signal: AbortSignal,
): Promise<{ reply: ChatReply; call: CountedCall }> {
  const agent = await agentOf(run.stage, signal)
  const maxTokens = Math.min(longestReply, Math.floor(agent.contextTokens / 4))
  const messages = fitted(whole, agent.contextTokens - maxTokens - conversationTokens([], tools))
  const promptTokens = conversationTokens(messages, tools)
  const { world, evaluation, task } = run
  const prompt = JSON.stringify(messages)
  const route = routeOf(run.stage)
  const facts = {
    purpose,
    tick: null,
    batch: null,
    world,
    evaluation,
    tasks: [task],
    provider: agent,
    route,
    prompt,
    promptTokens,
  }
  const offered = tools.length > 0 ? { tools } : {}
  try {
    const { output, call } = await calls.make(facts, signal, () =>
      agent.chat({ messages, promptTokens, maxTokens, ...offered }, signal),
    )
    return { reply: output, call }
  } catch (error) {
    if (error instanceof Fault && error.code === 'model/no-tools') lacksTools(run.stage)
    throw error
  }
}

interface Circumstances {
  call: CountedCall
  surface: SurfaceOf
  last: boolean
  /** The number of the next turn. */
  next: number
  before: ChatMessage[]
}

/** Reads an answer: every call is weighed, those that do not run are answered at once, and the rest are to be made. */
function thought(reply: ChatReply, { call, surface, last, next, before }: Circumstances): Thinking {
  const asked = last ? [] : reply.calls
  const message: ChatMessage = { role: 'assistant', text: reply.text, calls: asked }
  const steps: Omit<RunStep, 'at'>[] = [{ n: next, kind: 'thought', message, call: null, effect: false, open: false }]
  const calls: OpenCall[] = []
  const told: Pick<Thought, 'proposed'> = { proposed: [] }
  for (const [index, one] of asked.entries()) {
    const n = next + 1 + index
    const weighed = weigh(one, surface)
    if (weighed.standing === 'run') calls.push({ n, tool: weighed.call.tool, effect: weighed.effect, begun: false })
    if (weighed.standing === 'propose') told.proposed.push(weighed.call)
    steps.push(turnOf(n, one.id, one.tool, weighed))
  }
  const action = surface.stage === 'analyse' && asked.length === 0 ? recommendedAction(reply.text) : undefined
  return {
    kept: { call, steps },
    told: {
      ...told,
      asked: asked.length > 0,
      text: (action === undefined ? reply.text : action.before).trim(),
      plan: action?.action ?? null,
      calls,
      tokens: tokensUsed(reply),
      size: conversationTokens([...before, ...steps.map((step) => step.message)]),
    },
  }
}

function turnOf(n: number, call: string, tool: string, weighed: Weighed): Omit<RunStep, 'at'> {
  const say = (text: string): ChatMessage => ({ role: 'tool', call, tool, text })
  switch (weighed.standing) {
    case 'run':
      return { n, kind: 'tool', message: say(''), call: weighed.call, effect: weighed.effect, open: true }
    case 'propose': {
      const text = 'Not done: the user will be asked about it. Go on without it.'
      return { n, kind: 'tool', message: say(text), call: weighed.call, effect: false, open: false }
    }
    case 'refuse':
      return { n, kind: 'tool', message: say(`Not done: ${weighed.why}`), call: null, effect: false, open: false }
    default:
      return weighed satisfies never
  }
}

/** The call as it was weighed when it was written, and is again now that it is to be made. */
function callOf(parts: AgentParts, run: AgentRun, n: number) {
  const kept = parts.stores.agentRuns.step(run.id, n)?.call
  const weighed = kept && weighCall(kept, surfaceOf(parts, run))
  const tool = kept && parts.tools.get(kept.tool)
  if (!tool || weighed?.standing !== 'run') {
    throw new Fault('tool/not-allowed', `${kept?.tool ?? 'The tool'} may not be used for this any more.`, { n })
  }
  return { tool, weighed }
}

function answer(weighed: Extract<Weighed, { standing: 'run' }>, said: string): ToolSaid {
  const text = asData(said)
  const tokens = conversationTokens([{ role: 'tool', call: '', tool: weighed.call.tool, text }])
  return { text, told: { call: weighed.call, brief: briefly(said), tokens } }
}

const tokensUsed = ({ usage }: ChatReply): number => usage.promptTokens + usage.completionTokens
