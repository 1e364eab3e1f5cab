import type { Analysis, Decision } from '../domain/decision.ts'
import { type Failure, Fault, failureOf } from '../domain/errors.ts'
import type { Evaluation } from '../domain/evaluation.ts'
import { type EvaluationId, id } from '../domain/ids.ts'
import type { Provider, StepRequest } from '../domain/model.ts'
import type { SituationReport } from '../domain/report.ts'
import type { Settings } from '../domain/settings.ts'
import type { Task } from '../domain/task.ts'
import type { CountedCall, Route } from '../domain/usage.ts'
import { noVerdicts } from '../models/decisions.ts'
import type { ReanalysisView, RejudgedView } from '../rpc/rejudged.ts'
import type { Calls, OpenCall } from './calls.ts'
import type { NamedMind } from './named-mind.ts'
import { reportRoom } from './report-room.ts'
import type { Reports } from './reports.ts'
import type { Stores } from './stores.ts'
import { askForVerdicts } from './verdicts.ts'

export interface RejudgeParts {
  stores: Stores
  reports: Reports
  calls: Calls
  /** Finds who goes by a name, see `namedMind`. */
  named(name: string, signal: AbortSignal): Promise<NamedMind>
  settings(): Settings
}

export interface RejudgeOrder {
  model: string
  /** Whether a task that it escalates is looked into, in words. */
  analyse: boolean
}

/**
 * Has a task that was judged in a tick judged again by another model, on the same changes as far as they are kept, and
 * says what both decided. Nothing comes of it but the count of what the model used. Throws `evaluation/unknown`,
 * `replay/not-judged`, and what the model throws.
 */
export type Rejudge = (evaluation: string, order: RejudgeOrder, signal?: AbortSignal) => Promise<RejudgedView>

export const rejudging =
  ({ stores, reports, calls, named, settings }: RejudgeParts): Rejudge =>
  async (evaluation, { model, analyse }, signal = new AbortController().signal) => {
    const row = rowOf(stores, evaluation)
    const task = taskOf(stores, row)
    const { mind, route } = await named(model, signal)
    const { provider } = mind
    const most = settings().heartbeat.context_budget_tokens
    const { report, missing } = reports.asThen(row, task, Math.min(most, reportRoom(provider).report(1)))
    const asking: Asking = { row, task, provider, route, report, calls }
    const judged = await ask(asking, signal, (open) => judge(open, asking, signal))
    const { decision, failure } = judged.said
    const { title, intent, inputs } = task
    const step: StepRequest = { task: { id: task.id, title, intent, inputs }, report, reason: decision?.reason ?? '' }
    const looked =
      analyse && decision?.decision === 'escalate'
        ? await ask(asking, signal, async (open) => shown(await open.ask(() => provider.analyse(step, signal))))
        : null
    return {
      evaluation: row.id,
      task: row.task,
      title,
      recorded: recorded(stores, row),
      rejudged: {
        provider: provider.id,
        model: provider.model,
        route,
        decision: decision?.decision ?? null,
        reason: decision?.reason ?? null,
        text: decision?.decision === 'act' ? (decision.text ?? null) : null,
        sources: decision && decision.decision !== 'skip' ? decision.sources : [],
        failure,
        analysis: looked?.said ?? null,
      },
      changes: { shown: report.changes.length, missing, left: report.left },
      used: used([...judged.calls, ...(looked?.calls ?? [])]),
    }
  }

const used = (calls: readonly CountedCall[]): RejudgedView['used'] => ({
  calls: sum(calls, (call) => call.calls),
  promptTokens: sum(calls, (call) => call.promptTokens),
  completionTokens: sum(calls, (call) => call.completionTokens),
  cost: calls.some(({ cost }) => cost !== null) ? sum(calls, (call) => call.cost ?? 0) : null,
  durationMs: sum(calls, (call) => call.durationMs),
})

interface Asking {
  row: Evaluation
  task: Task
  provider: Provider
  route: Route
  report: SituationReport
  calls: Calls
}

/** One call, counted whether or not anything comes of it. A rule is no model: what it says is no call. */
async function ask<Said>(
  { row, task, provider, route, report, calls }: Asking,
  signal: AbortSignal,
  work: (open: Pick<OpenCall, 'ask'>) => Promise<Said>,
): Promise<{ said: Said; calls: CountedCall[] }> {
  signal.throwIfAborted()
  if (provider.id === 'builtin') return { said: await work({ ask: (once) => once() }), calls: [] }
  const open = calls.begin({
    purpose: 'eval',
    tick: null,
    batch: null,
    world: row.world,
    evaluation: row.id,
    tasks: [task.id],
    provider,
    route,
    prompt: report.text,
    promptTokens: report.tokens,
  })
  try {
    const said = await work(open)
    const call = open.ended()
    await calls.record(call)
    return { said, calls: [call] }
  } catch (error) {
    await open.failed(error)
    throw error
  }
}

interface Verdict {
  decision: Decision | null
  failure: Failure | null
}

async function judge(
  open: Pick<OpenCall, 'ask'>,
  { task, provider, report }: Asking,
  signal: AbortSignal,
): Promise<Verdict> {
  const counted: Pick<Provider, 'judge'> = { judge: (request) => open.ask(() => provider.judge(request, signal)) }
  const { reading } = await askForVerdicts(counted, report, signal)
  const decision = reading.decisions.get(task.id) ?? null
  if (decision) return { decision, failure: null }
  const none = failureOf(new Fault('model/no-verdict', `${provider.model} gave no usable decision.`))
  return { decision, failure: noVerdicts(reading).get(task.id) ?? none }
}

function shown(analysis: Analysis): ReanalysisView {
  if (analysis.kind === 'result') return { kind: 'result', text: analysis.text, title: null, calls: [] }
  const { title, summary, calls } = analysis.proposal
  return { kind: 'proposal', text: summary, title, calls }
}

/** What was decided, by whom as far as that is still known, and what came of it. */
function recorded({ ticks, escalations }: Stores, row: Evaluation): RejudgedView['recorded'] {
  const call = row.call === null ? undefined : ticks.call(row.call)
  const { decision, reason, text, sources, state, failure } = row
  const card = escalations.get(row.id)?.title ?? null
  const judge = { provider: call?.provider ?? null, model: call?.model ?? null }
  return { ...judge, decision, reason, text, sources, state, failure, card }
}

function rowOf({ evaluations }: Stores, given: string): Evaluation {
  const row = evaluations.get(id<EvaluationId>(given))
  if (row) return row
  throw Fault.use('evaluation/unknown', `There is no evaluation ${given}. undermind log shows what there is.`, {
    evaluation: given,
  })
}

function taskOf({ tasks }: Stores, row: Evaluation): Task {
  const { id: evaluation, tick } = row
  if (tick === null || row.state === 'inProgress') {
    const why = tick === null ? 'it was made to ask you, and no model judged it' : 'it is still at work'
    throw Fault.use('replay/not-judged', `Cannot have ${evaluation} judged by another model: ${why}.`, { evaluation })
  }
  const task = tasks.get(row.task)
  if (task) return task
  throw Fault.use('task/unknown', `The task of ${evaluation} is gone.`, { evaluation })
}

const sum = <T>(items: readonly T[], of: (item: T) => number): number => items.reduce((all, one) => all + of(one), 0)
