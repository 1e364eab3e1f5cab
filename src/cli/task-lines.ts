import type { Schedule } from '../domain/schedule.ts'
import { columnsOf } from './columns.ts'
import type { Page } from './page.ts'
import { printableLine } from './printable.ts'
import { localTime, when } from './times.ts'
import type { Task } from './views.ts'
import { wrapBehind } from './wrap.ts'

const scheduleText = (schedule: Schedule): string => {
  switch (schedule.kind) {
    case 'every-tick':
      return 'every tick'
    case 'every':
      return `every ${schedule.minutes} min`
    case 'once':
      return schedule.at === undefined ? 'once' : `once at ${schedule.at}`
    case 'cron':
      return schedule.timezone === undefined ? schedule.expression : `${schedule.expression} (${schedule.timezone})`
    default:
      return schedule satisfies never
  }
}

const scheduleOf = (task: Task): string => printableLine(task.scheduleText ?? scheduleText(task.schedule))

const stateOf = (task: Task): string => {
  if (task.completed) return 'completed'
  if (!task.enabled) return 'off'
  return task.paused ? 'paused' : 'on'
}

const nextOf = (task: Task, now: number): string => {
  if (stateOf(task) !== 'on') return '-'
  return task.nextRunAt === null ? 'next tick' : localTime(task.nextRunAt, now)
}

const tagsOf = ({ source, asksToWrite }: Task): string =>
  `${source === 'system' ? ' [default]' : ''}${asksToWrite ? ' [asks to write]' : ''}`

const roomForIds = 110

/** Tasks in columns, ids below the titles where there is little room. Those that are not of the user's are `default`. */
export const taskTable = (tasks: readonly Task[], page: Page): string[] => {
  if (tasks.length === 0)
    return ['There are no tasks. Write a list item into HEARTBEAT.md, or run undermind tasks add.']
  const isWide = page.columns >= roomForIds
  const rows = tasks.map((task) => {
    const id = printableLine(task.id)
    const title = printableLine(task.title) + tagsOf(task)
    const facts = [printableLine(task.intent), scheduleOf(task), stateOf(task), nextOf(task, page.now())]
    return isWide ? [id, title, ...facts] : [`${title}\n${id}`, ...facts]
  })
  const heads = ['task', 'intent', 'schedule', 'state', 'next']
  return columnsOf(isWide ? ['id', ...heads] : heads, rows, page, isWide ? 1 : 0)
}

/** One task, after something was done to it. */
export const taskLines = (task: Task, done: string, page: Page): string[] => {
  const state = stateOf(task)
  const next = `on, next ${when(task.nextRunAt, page.now(), 'at the next tick')}`
  const facts = [task.intent, scheduleOf(task), state === 'on' ? next : state]
  return [
    ...wrapBehind('', `${done}: ${printableLine(task.title)}${tagsOf(task)}`, page.columns),
    ...wrapBehind('  ', `${printableLine(task.id)} · ${facts.map(printableLine).join(' · ')}`, page.columns).map(
      (line) => page.paint('gray', line),
    ),
  ]
}
