import type { WorkHandler } from '../actors/work.ts'
import type { Clock } from '../domain/clock.ts'
import type { Analysis, Execution } from '../domain/decision.ts'
import { Fault } from '../domain/errors.ts'
import type { Proposal } from '../domain/escalation.ts'
import type { EvaluationId, OutboxKey } from '../domain/ids.ts'
import type { Provider, StepRequest } from '../domain/model.ts'
import type { Tool, ToolRun } from '../domain/tool.ts'
import type { CarryOutInput, StepInput } from '../machines/evaluation-words.ts'
import { allowWrite } from './ask-to-write.ts'
import type { Reports } from './reports.ts'
import type { Stores } from './stores.ts'

export interface EvaluationParts {
  stores: Stores
  clock: Clock
  reports: Reports
  tools: ReadonlyMap<string, Tool>
  concurrency: number
  provider(): Provider
  /** Throws a Fault while the workspace may not be written to. */
  assertTrusted(): void
}

/** Approved calls are few and short; they need not wait for each other. */
const callsAtOnce = 16

/** The work an evaluation orders, one handler for each chair of its chart. */
export function evaluationWork(parts: EvaluationParts) {
  const { concurrency, provider } = parts
  const execute: WorkHandler<StepInput, Execution> = {
    concurrency,
    repeatable: () => true,
    async run(input, { signal }) {
      const { text, sources } = await provider().execute(stepOf(parts, input), signal)
      return { text, sources }
    },
  }
  const analyse: WorkHandler<StepInput, Analysis> = {
    concurrency,
    repeatable: () => true,
    async run(input, { signal }) {
      const { usage: _usage, ...analysis } = await provider().analyse(stepOf(parts, input), signal)
      return analysis.kind === 'proposal' ? { ...analysis, proposal: checked(parts, analysis.proposal) } : analysis
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
function stepOf({ stores, reports }: EvaluationParts, { evaluation, reason, response }: StepInput): StepRequest {
  const row = stores.evaluations.get(evaluation)
  if (!row) throw new Fault('evaluation/unknown', `There is no evaluation ${evaluation}.`, { evaluation })
  const planned = row.tick === null ? undefined : reports.ofBatch(row.tick, row.batch)
  const judged = planned?.tasks.find(({ id }) => id === row.task)
  const own = judged ? undefined : stores.tasks.get(row.task)
  const task = judged ?? own
  if (!task) throw new Fault('task/unknown', `The task of ${evaluation} is gone.`, { evaluation })
  const report = judged && planned ? planned : reports.of(own ? [own] : [], row.from, row.through)
  return { task, report, reason, ...(response !== null && { response }) }
}

const toolRun = (
  { stores, clock }: EvaluationParts,
  key: OutboxKey,
  evaluation: EvaluationId,
  signal: AbortSignal,
): ToolRun => ({
  key,
  evaluation,
  signal,
  now: clock.now(),
  keepBefore: (image) => stores.records.keepImage(key, evaluation, image, clock.now()),
  kept: () => stores.records.image(key),
})
