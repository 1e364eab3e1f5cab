import type { Worked } from '../actors/evaluation.ts'
import type { WorkHandler } from '../actors/work.ts'
import type { RunStage } from '../domain/agent.ts'
import type { ChatMessage, ChatModel } from '../domain/chat.ts'
import type { Clock } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'
import type { Proposal } from '../domain/escalation.ts'
import type { Evaluation } from '../domain/evaluation.ts'
import type { Provider, StepRequest, Usage } from '../domain/model.ts'
import type { Intent } from '../domain/task.ts'
import type { Tool } from '../domain/tool.ts'
import type { CountedCall } from '../domain/usage.ts'
import type { CarryOutInput, StepInput } from '../machines/evaluation-words.ts'
import { agentPrompt } from '../models/language/agent-prompt.ts'
import type { AgentRuns } from './agent-runs.ts'
import { allowWrite } from './ask-to-write.ts'
import type { Calls } from './calls.ts'
import type { Reports } from './reports.ts'
import type { Routes } from './routes.ts'
import type { Stores } from './stores.ts'
import { toolRun } from './tool-run.ts'

export interface EvaluationParts {
  stores: Stores
  clock: Clock
  reports: Reports
  tools: ReadonlyMap<string, Tool>
  concurrency: number
  routes: Routes
  agentRuns: AgentRuns
  calls: Calls
  /** Throws a Fault while the workspace may not be written to. */
  assertTrusted(): void
}

/** Approved calls are few and short; they need not wait for each other. */
const callsAtOnce = 16

/** The work an evaluation orders, one handler for each chair of its chart. */
export function evaluationWork(parts: EvaluationParts) {
  const { concurrency, routes } = parts
  const execute: WorkHandler<StepInput, Worked> = {
    concurrency,
    repeatable: () => true,
    async run(input, { signal }) {
      await routes.ready(signal)
      const { row, step } = await stepOf(parts, input)
      const stage = stageOfExecution(input, step.task.intent)
      if (stage !== 'words') {
        const result = await byAgent(parts, { row, step, stage, input }, signal)
        if (result) return result
      }
      const provider = routes.text()
      const asking = { purpose: 'text' as const, provider, row, step }
      const { said, call } = await talk(parts, asking, signal, () => provider.execute(step, signal))
      return { kind: 'result', ...said, ...call }
    },
  }
  const analyse: WorkHandler<StepInput, Worked> = {
    concurrency,
    repeatable: () => true,
    async run(input, { signal }) {
      await routes.ready(signal)
      const { row, step } = await stepOf(parts, input)
      const stage = step.task.intent === 'write' ? 'tools' : 'analyse'
      const result = await byAgent(parts, { row, step, stage, input }, signal)
      if (result) return result
      const provider = routes.analyst()
      const asking = { purpose: 'analyse' as const, provider, row, step }
      const { said, call } = await talk(parts, asking, signal, () => provider.analyse(step, signal))
      return said.kind === 'proposal'
        ? { ...said, proposal: checked(parts, said.proposal), ...call }
        : { ...said, ...call }
    },
  }
  const carryOut: WorkHandler<CarryOutInput, { text: string }> = {
    concurrency: callsAtOnce,
    repeatable: ({ call }) => parts.tools.get(call.tool)?.repeatable ?? false,
    async run({ call, evaluation }, { key, signal }) {
      const tool = toolOf(parts, call.tool)
      if (call.tool !== allowWrite) parts.assertTrusted()
      return { text: await tool.run(tool.parse(call.arguments), toolRun(parts, key, evaluation, signal)) }
    },
    async check({ call, evaluation }, { key, signal }) {
      const tool = toolOf(parts, call.tool)
      const outcome =
        (await tool.check?.(tool.parse(call.arguments), toolRun(parts, key, evaluation, signal))) ?? 'unknown'
      return outcome === 'happened'
        ? { outcome, output: { text: `${tool.target(call.arguments)}: done` } }
        : { outcome }
    },
  }
  return { 'evaluation.execute': execute, 'evaluation.analyse': analyse, 'evaluation.carryOut': carryOut }

  /** Has an agent do it where the stage has one; undefined where the provider has ways of its own. */
  async function byAgent(
    { agentRuns }: EvaluationParts,
    { row, step, stage, input }: { row: Evaluation; step: StepRequest; stage: RunStage; input: StepInput },
    signal: AbortSignal,
  ): Promise<Worked | undefined> {
    const agent = routes.agent(stage)
    if (agent) {
      const prompt = promptOf(stage, within(parts, step, row, agent), row.tainted, input.plan)
      return agentRuns.run({ evaluation: row, visit: input.visit, stage, agent, prompt }, signal)
    }
    if (stage === 'plan' || (stage === 'tools' && routes.onlyTalks(stage))) throw routes.needsAgent(step.task)
    return undefined
  }
}

interface Talk {
  purpose: 'text' | 'analyse'
  provider: Provider
  row: Evaluation
  step: StepRequest
}

/** One model call for a step that only talks. A rule is no model: what it says is no call. */
async function talk<Said extends object>(
  { calls, routes }: EvaluationParts,
  { purpose, provider, row, step }: Talk,
  signal: AbortSignal,
  ask: () => Promise<Said & { usage: Usage }>,
): Promise<{ said: Said; call: { call?: CountedCall } }> {
  if (provider.id === 'builtin') {
    const { usage: _none, ...said } = await ask()
    return { said: said as never, call: {} }
  }
  const { tick, batch, world, id: evaluation, task } = row
  const { text: prompt, tokens: promptTokens } = step.report
  const route = routes.route(purpose)
  const facts = { purpose, route, tick, batch, world, evaluation, tasks: [task], provider, prompt, promptTokens }
  const { output, call } = await calls.make(facts, signal, ask)
  const { usage: _counted, ...said } = output
  return { said: said as never, call: { call } }
}

/** A task that only reads has nothing carried out, and words alone need no tool. */
function stageOfExecution({ plan, needs }: StepInput, intent: Intent): RunStage | 'words' {
  if (plan !== null) return 'plan'
  if (intent === 'read') return needs === 'tools' ? 'analyse' : 'words'
  return needs === 'text' ? 'words' : 'tools'
}

/** The part of a context that a report may fill where tools answer beside it. */
const reportPart = 0.3

/** An agent that holds less than the report has room for is shown less of it: it can read for itself. */
function within(
  { stores, reports }: EvaluationParts,
  step: StepRequest,
  row: Evaluation,
  { contextTokens }: ChatModel,
): StepRequest {
  const most = Math.floor(contextTokens * reportPart)
  const task = stores.tasks.get(row.task)
  if (step.report.tokens <= most || !task) return step
  return { ...step, report: reports.of([task], row.from, row.through, most) }
}

function promptOf(stage: RunStage, step: StepRequest, tainted: boolean, plan: string | null): ChatMessage[] {
  const prompted = stage === 'analyse' ? ('analyse' as const) : ('tools' as const)
  return agentPrompt({ ...step, stage: prompted, tainted, ...(plan !== null && { plan }) })
}

/** A proposal as it will be carried out: of tools that there are, with arguments that they take. Throws what is wrong with it. */
function checked(parts: EvaluationParts, proposal: Proposal): Proposal {
  const calls = proposal.calls.map(({ tool, arguments: args }) => {
    if (tool === allowWrite)
      throw new Fault('model/bad-proposal', 'A model proposed to let a task write. Only you can start that.')
    return { tool, arguments: toolOf(parts, tool).parse(args) }
  })
  return { ...proposal, calls }
}

function toolOf({ tools }: EvaluationParts, name: string): Tool {
  const tool = tools.get(name)
  if (!tool)
    throw new Fault(
      'tool/unknown',
      `There is no tool ${name} here. It may have been removed since this was proposed.`,
      { tool: name },
    )
  return tool
}

/** A step works on the report that its task was judged on; one made outside a tick has a report of its own. */
async function stepOf(
  { stores, reports }: EvaluationParts,
  { evaluation, reason, response }: StepInput,
): Promise<{ row: Evaluation; step: StepRequest }> {
  const row = stores.evaluations.get(evaluation)
  if (!row) throw new Fault('evaluation/unknown', `There is no evaluation ${evaluation}.`, { evaluation })
  const planned = row.tick === null ? undefined : await reports.ofBatch(row.tick, row.batch)
  const judged = planned?.tasks.find(({ id }) => id === row.task)
  const own = judged ? undefined : stores.tasks.get(row.task)
  const task = judged ?? own
  if (!task) throw new Fault('task/unknown', `The task of ${evaluation} is gone.`, { evaluation })
  const report = judged && planned ? planned : reports.of(own ? [own] : [], row.from, row.through)
  return { row, step: { task, report, reason, ...(response !== null && { response }) } }
}
