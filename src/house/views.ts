import type { Change } from '../domain/change.ts'
import { Fault } from '../domain/errors.ts'
import type { Card } from '../domain/escalation.ts'
import type { Evaluation } from '../domain/evaluation.ts'
import type { EvaluationId, TaskId } from '../domain/ids.ts'
import { id } from '../domain/ids.ts'
import type { JournalRow } from '../domain/ledger.ts'
import type { ModelCall } from '../domain/model.ts'
import type { Task } from '../domain/task.ts'
import type { UsageToday } from '../domain/usage.ts'
import type { WorldRow } from '../domain/world.ts'
import { watches } from '../memory/inputs.ts'
import { formatSchedule } from '../tasks/schedule-text.ts'
import { isJudgedRegardless } from './due-tasks.ts'
import type { HeartbeatState } from './heartbeat-tasks.ts'
import type { RouteView } from './routes.ts'
import type { Stores } from './stores.ts'

export interface Status {
  workspace: string
  trusted: boolean
  mode: string
  model: { provider: string; model: string }
  worlds: WorldRow[]
  tasks: number
  pausedTasks: { id: TaskId; title: string; why: string }[]
  pendingApprovals: number
  heartbeatFile: HeartbeatState
  sources: { id: string; title: string; health: string; failure: string | null }[]
  deadLetters: number
  /** Why the store cannot be written to just now; null when it can. */
  stalled: string | null
  /** What models were asked today, and what is left of the budget. */
  usage: UsageToday
  /** Who does which part of the work, and what stands in the way. */
  routes: RouteView[]
}

/** Why a task ran when it did, and why it has not since. */
export interface TaskReason {
  task: Task
  schedule: string
  last: Evaluation | null
  lastText: string
  nowText: string
  nextText: string
}

/** What led to an evaluation: the changes it was judged on and what the model answered. */
export interface EvaluationReason {
  evaluation: Evaluation
  task: Task | null
  card: Card | null
  changes: Change[]
  /** Changes of its window that are no longer kept or not shown here. */
  moreChanges: number
  call: ModelCall | null
  journal: JournalRow[]
}

const mostChanges = 50

/** Says why a task last ran, why not since, and when next. `nextTickAt` is its world's. */
export function whyTask(
  stores: Stores,
  task: Task,
  nextTickAt: number | null,
  time: (at: number) => string,
): TaskReason {
  const last = stores.evaluations.log({ task: task.id, limit: 1 })[0] ?? null
  const head = stores.changes.head()
  const waiting = stores.changes
    .keysBetween(task.judgedThrough, head, 500)
    .filter(({ source, key }) => watches(task.inputs, source, key)).length
  return {
    task,
    schedule: formatSchedule(task.schedule),
    last,
    lastText: last
      ? `It last ran at ${time(last.createdAt)} and ended ${last.state}: ${last.reason || last.text || last.failure?.message || 'no reason given'}`
      : task.judge === 'model'
        ? 'It has not run yet.'
        : 'It is checked by code at each tick and makes news when something changes.',
    nowText: nowText(task, waiting),
    nextText: nextText(task, nextTickAt, time),
  }
}

function nowText(task: Task, waiting: number): string {
  if (task.retired) return 'It is retired: its line is gone or it was deleted.'
  if (task.completed) return 'It is completed.'
  if (!task.enabled) return 'It is disabled.'
  if (task.paused !== null) return `It is paused: ${task.paused}`
  if (task.judge !== 'model') return 'Nothing has changed in what it checks.'
  if (task.attempts > 0) return `Its last run failed (attempt ${task.attempts}); it will be tried again.`
  if (waiting > 0) return `${waiting} change${waiting === 1 ? '' : 's'} wait for its next run.`
  return isJudgedRegardless(task)
    ? 'It runs at its time whether or not anything changed.'
    : 'Inputs unchanged: nothing it looks at has changed since.'
}

function nextText(task: Task, nextTickAt: number | null, time: (at: number) => string): string {
  if (task.retired || task.completed || !task.enabled || task.paused !== null) return 'It will not run.'
  const own = task.retryAt ?? task.nextRunAt
  // One whose time has passed runs with the tick that comes next.
  const at = own === null || nextTickAt === null ? (own ?? nextTickAt) : Math.max(own, nextTickAt)
  return at === null ? 'It runs at the next tick you ask for.' : `Next: ${time(at)}.`
}

export function whyEvaluation(
  stores: Stores,
  given: string,
  journal: (id: EvaluationId) => JournalRow[],
): EvaluationReason {
  const evaluation = stores.evaluations.get(id<EvaluationId>(given))
  if (!evaluation)
    throw Fault.use('evaluation/unknown', `There is no evaluation ${given}. undermind log shows what there is.`, {
      evaluation: given,
    })
  const task = stores.tasks.get(evaluation.task) ?? null
  const window = stores.changes.between(evaluation.from, evaluation.through, 10 * mostChanges)
  const seen = task ? window.filter(({ source, key }) => watches(task.inputs, source, key)) : window
  return {
    evaluation,
    task,
    card: stores.escalations.get(evaluation.id) ?? null,
    changes: seen.slice(0, mostChanges),
    moreChanges: Math.max(0, seen.length - mostChanges),
    call: evaluation.call ? (stores.ticks.call(evaluation.call) ?? null) : null,
    journal: journal(evaluation.id),
  }
}
