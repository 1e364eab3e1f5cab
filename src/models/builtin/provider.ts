import type { Analysis, Execution } from '../../domain/decision.ts'
import { Fault } from '../../domain/errors.ts'
import type { JudgeRequest, Provider, RawAnswer, StepRequest, Usage } from '../../domain/model.ts'
import type { ReportTask } from '../../domain/report.ts'
import { answerOf } from './answer.ts'
import { readAsk } from './asking.ts'
import { fixedWords } from './fixed-words.ts'
import { judgedBy, resultOf } from './judged.ts'
import { type Plan, plansOf } from './plan.ts'
import { proposalOf } from './proposal.ts'

interface BuiltinOptions {
  /** The text of the workspace's AGENDA.md, null when there is none; asked for only when something could be noted there. */
  agenda: () => Promise<string | null>
}

const usage: Usage = { promptTokens: 0, completionTokens: 0 }

/**
 * The evaluator that needs nothing installed: rules instead of a language model. It finds changed lines that fit a task
 * and answers with quotes of them and nothing else; the only action it ever proposes is to note dated lines in AGENDA.md.
 * The same report and agenda give the same answers.
 */
export function builtinProvider({ agenda }: BuiltinOptions): Provider {
  const planOf = async ({ task, report }: StepRequest, signal: AbortSignal): Promise<Plan> => {
    const place = report.tasks.findIndex(({ id }) => id === task.id)
    const tasks = place < 0 ? [task] : report.tasks.slice(0, place + 1)
    return (await plansOf(report, tasks, agenda, signal)).at(-1)!
  }

  return {
    id: 'builtin',
    model: 'builtin',
    contextTokens: 1_000_000,

    async judge({ report }: JudgeRequest, signal: AbortSignal): Promise<RawAnswer> {
      const plans = await plansOf(report, report.tasks, agenda, signal)
      return { text: JSON.stringify({ evaluations: plans.map(judgedBy) }), usage, cutOff: false }
    },

    async execute(step: StepRequest, signal: AbortSignal): Promise<Execution & { usage: Usage }> {
      if (readAsk(step.task).needsTools) throw needsAgent(step.task)
      return { ...resultOf(await planOf(step, signal)), usage }
    },

    async analyse(step: StepRequest, signal: AbortSignal): Promise<Analysis & { usage: Usage }> {
      const plan = await planOf(step, signal)
      const say = fixedWords(plan.match.ask.chinese)
      if (step.response !== undefined) return { kind: 'result', ...resultOf(plan, say.cannotWeigh), usage }
      if (plan.notes.length > 0) {
        return { kind: 'proposal', proposal: proposalOf(plan, say), text: answerOf(plan.match).text, usage }
      }
      const remark = plan.agenda === null ? say.noAgenda : plan.noted ? say.agendaHasIt : undefined
      return { kind: 'result', ...resultOf(plan, remark), usage }
    },
  }
}

const needsAgent = (task: ReportTask): Fault =>
  new Fault(
    'model/needs-agent',
    `Cannot carry out "${task.title}": it needs an agent that can use tools, and the built-in model has none. Configure one under [models.cloud] in undermind.toml, then resume the task.`,
    { task: task.id },
  )
