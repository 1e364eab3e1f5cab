import { type Fact, factLines } from './fact-lines.ts'
import { count } from './numbers.ts'
import type { Shell } from './shell.ts'
import { when } from './times.ts'
import { todayFacts } from './usage-lines.ts'
import type { Status, World } from './views.ts'

/** Status for programs: the names it has there, and everything else that is known. */
export const statusObject = (status: Status) => {
  const { instances, taskCount, pendingEscalations, ...others } = status
  return { ...others, worlds: worldsOf(status), tasks: taskCount, pendingApprovals: pendingEscalations }
}

const worldsOf = ({ instances }: Status): World[] =>
  instances.map(({ instance, ...world }) => ({ id: instance, ...world }))

const worldText = (world: World, now: number): string => {
  const { state, lastTickAt, nextTickAt, totalTicks, consecutiveFailures, failureReason, haltedReason } = world
  const next = nextTickAt === null || nextTickAt === undefined ? [] : [`next ${when(nextTickAt, now)}`]
  const why = failureReason ? `: ${failureReason}` : ''
  const failures = consecutiveFailures === 0 ? [] : [`${count(consecutiveFailures, 'failure')} in a row${why}`]
  const halted = haltedReason ? [haltedReason] : []
  return [state, ...halted, `last tick ${when(lastTickAt, now)}`, ...next, count(totalTicks, 'tick'), ...failures].join(
    ', ',
  )
}

const heartbeatText = ({ heartbeatFile: { kind, tasks = 0, reason } }: Status): string => {
  switch (kind) {
    case 'read':
      return count(tasks, 'task')
    case 'absent':
      return 'not there; write one with a list item for each task'
    case 'noTask':
      return 'holds text but no task; a task is a list item'
    default:
      return `cannot be read, tasks are as they were: ${reason ?? kind}`
  }
}

const problemsOf = (status: Status): string[] => [
  ...(status.stalled ? [`Nothing can be saved just now: ${status.stalled}`] : []),
  ...(status.providerUnavailableReason ? [`The model cannot be asked: ${status.providerUnavailableReason}`] : []),
  ...status.sources.flatMap(({ title, failure }) => (failure ? [`${title} could not be read: ${failure}`] : [])),
  ...status.pausedTasks.map(({ title, why }) => `“${title}” is paused: ${why}`),
  ...(status.deadLetters > 0 ? [`${count(status.deadLetters, 'message')} could not be delivered.`] : []),
]

/** Status for a person, a fact a line. */
export const statusLines = (status: Status, daemon: boolean, shell: Shell): string[] => {
  const now = shell.now()
  const waiting = status.pendingEscalations
  const facts: Fact[] = [
    { name: 'Workspace', text: status.workspace },
    {
      name: 'Trust',
      text: status.trusted ? 'trusted' : `not trusted, nothing is written: ${shell.command('trust')} if it is yours`,
    },
    { name: 'Running', text: daemon ? 'yes' : `no: ${shell.command('start')}` },
    { name: 'Mode', text: status.mode },
    { name: 'Model', text: judgeText(status) },
    { name: 'Agent', text: agentText(status) },
    ...worldsOf(status).map((world) => ({ name: world.title, text: worldText(world, now) })),
    { name: 'Tasks', text: count(status.taskCount, 'task') },
    { name: 'HEARTBEAT.md', text: heartbeatText(status) },
    { name: 'Waiting', text: waiting === 0 ? 'nothing' : `${count(waiting, 'card')}: ${shell.command('approvals')}` },
    ...todayFacts(status.usage, now),
    ...problemsOf(status).map((text) => ({ name: 'Problem', text, isTrouble: true })),
  ]
  return factLines(facts, shell)
}

/** Who judges, and why it is not the one that one might expect. */
const judgeText = (status: Status): string => {
  const reason = status.routes.find(({ stage }) => stage === 'judge')?.reason
  return reason ? `${modelText(status)}: ${reason}` : modelText(status)
}

/** Who works with tools. */
const agentText = ({ routes }: Status): string => {
  const agent = routes.find(({ stage }) => stage === 'tools')
  if (!agent?.available) return `none: ${agent?.reason ?? 'no model works with tools'}`
  return modelText({ model: agent })
}

export const modelText = ({ model: { provider, model } }: { model: { provider: string; model: string } }): string =>
  provider === model ? provider : `${provider} (${model})`
