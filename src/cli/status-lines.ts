import { count } from './numbers.ts'
import { printable, printableLine } from './printable.ts'
import type { Shell } from './shell.ts'
import { when } from './times.ts'
import type { Status, World } from './views.ts'
import { padTo } from './width.ts'
import { wrap } from './wrap.ts'

/** Status for programs: the names it has there, and everything else that is known. */
export const statusObject = (status: Status) => {
  const { instances, taskCount, pendingEscalations, ...others } = status
  return { ...others, worlds: worldsOf(status), tasks: taskCount, pendingApprovals: pendingEscalations }
}

const worldsOf = ({ instances }: Status): World[] =>
  instances.map(({ instance, ...world }) => ({ id: instance, ...world }))

const worldText = (world: World, now: number): string => {
  const { state, lastTickAt, nextTickAt, totalTicks, consecutiveFailures, haltedReason } = world
  const next = nextTickAt === null || nextTickAt === undefined ? [] : [`next ${when(nextTickAt, now)}`]
  const failures = consecutiveFailures === 0 ? [] : [`${count(consecutiveFailures, 'failure')} in a row`]
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
  const facts: [name: string, text: string][] = [
    ['Workspace', status.workspace],
    ['Trust', status.trusted ? 'trusted' : `not trusted, nothing is written: ${shell.command('trust')} if it is yours`],
    ['Running', daemon ? 'yes' : `no: ${shell.command('start')}`],
    ['Mode', status.mode],
    ['Model', `${status.model.provider} (${status.model.model})`],
    ...worldsOf(status).map((world): [string, string] => [world.title, worldText(world, now)]),
    ['Tasks', count(status.taskCount, 'task')],
    ['HEARTBEAT.md', heartbeatText(status)],
    ['Waiting', waiting === 0 ? 'nothing' : `${count(waiting, 'card')}: ${shell.command('approvals')}`],
  ]
  const problems = problemsOf(status)
  return [
    ...facts.flatMap(([name, text]) => factLines(name, text, shell)),
    ...problems.flatMap((problem) => factLines('Problem', problem, shell)),
  ]
}

const nameWidth = 14

/** A fact: its name, then its text in a column of its own. */
export const factLines = (name: string, text: string, { paint, columns }: Pick<Shell, 'paint' | 'columns'>): string[] =>
  wrap(printable(text), columns - nameWidth).map((line, index) =>
    index === 0
      ? `${paint(name === 'Problem' ? 'redBright' : 'gray', padTo(printableLine(name), nameWidth - 1))} ${line}`
      : ' '.repeat(nameWidth) + line,
  )
