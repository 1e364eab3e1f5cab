import { heartbeatId } from '../../actors/heartbeat.ts'
import type { Turn } from '../../actors/seat.ts'
import { Fault } from '../../domain/errors.ts'
import { id, type TaskId } from '../../domain/ids.ts'
import type { Schedule } from '../../domain/schedule.ts'
import type { Task } from '../../domain/task.ts'
import { oneLine } from '../../memory/cut.ts'
import { effectsOf, intentByRule } from '../../tasks/intent.ts'
import { firstRun, parseSchedule } from '../../tasks/schedule.ts'
import { blankTask, memoryWorld } from '../blank-task.ts'
import { cronFromThere, NoSuchSchedule } from './cron.ts'
import type { Findings } from './findings.ts'
import type { ImportRun } from './import-run.ts'
import { tasks as shape, type TaskThere } from './shapes.ts'
import type { SourceDb } from './source-db.ts'
import { rowsOf } from './table.ts'

const longestTitle = 500

/** The tasks that every workspace has, by the words they have had there. */
const seeds: Readonly<Record<string, string>> = {
  'check connected skills for errors or disconnections': 'task_seed_skills',
  'review new memory updates for actionable items': 'task_seed_memory',
  'review new memory for actionable items': 'task_seed_memory',
  'monitor system health (ollama, memory, connections)': 'task_seed_health',
  'monitor system health (local model, memory, connections)': 'task_seed_health',
}

/** How many tasks ask at once whether they may write; the others can be allowed to at any time. */
const mostQuestions = 20

/** Under which the task is remembered that a task of there was found to be already. */
const keptAs = (self: TaskId): string => `imported:${self}`

/** Takes the tasks over. A task that is there already, by its id of there or by its title, stays as it is. */
export async function importTasks(run: ImportRun, db: SourceDb): Promise<void> {
  const asked = new Set<TaskId>()
  await run.each(rowsOf(db, shape, run.findings), (row, turn, findings) => {
    const self = id<TaskId>(run.parts.ids('task', 'task', row.id))
    const known = knownAs(run, self)
    if (known) {
      run.tasks.set(row.id, known)
      return findings.wasThere('tasks')
    }
    const task = taskOf(row, self, turn.now, findings)
    if (!task) return
    const twin = twinOf(run, task)
    run.tasks.set(row.id, twin?.id ?? self)
    if (twin) {
      run.parts.stores.records.keep(keptAs(self), twin.id)
      findings.wasThere('tasks')
      if (twin.origin === 'user')
        findings.changed('tasks', 'An open task has this title already: both are one.', task.title)
      return
    }
    add(run, task, turn)
    findings.took('tasks')
    if (row.source === 'system')
      findings.changed('tasks', 'A system task of there that undermind does not have: it is yours now.', task.title)
    if (task.asksToWrite) ask(run, task, asked, turn, findings)
  })
}

function knownAs({ parts: { stores } }: ImportRun, self: TaskId): TaskId | undefined {
  const twin = stores.records.kept(keptAs(self))
  return stores.tasks.get(self)?.id ?? (typeof twin === 'string' ? stores.tasks.get(id<TaskId>(twin))?.id : undefined)
}

function twinOf({ parts: { stores } }: ImportRun, { title, completed }: Task): Task | undefined {
  const key = title.toLowerCase()
  const seed = Object.hasOwn(seeds, key) ? stores.tasks.get(id<TaskId>(seeds[key]!)) : undefined
  return seed ?? (completed ? undefined : stores.tasks.byTitle(memoryWorld, title))
}

/** The task as it is here; undefined where it cannot be one, which has been told then. */
function taskOf(row: TaskThere, self: TaskId, now: number, findings: Findings): Task | undefined {
  const title = oneLine(row.title.trim(), longestTitle)
  if (title === '') {
    findings.refuse('tasks', 'It has no title.', row.id)
    return undefined
  }
  if (row.title.trim().length > longestTitle) {
    findings.changed('tasks', `Its title has more than ${longestTitle} characters: it was cut.`, title)
  } else if (title !== row.title.trim()) {
    findings.changed('tasks', 'Its title was put on one line, without what steers a screen.', title)
  }
  try {
    const completed = row.completed ?? false
    const schedule = scheduleOf(row)
    // Nobody here has said that it may write.
    const asksToWrite = intentByRule(title) === 'write'
    return {
      ...blankTask(title, Math.min(row.createdAt ?? now, now)),
      id: self,
      origin: 'user',
      source: 'user',
      asksToWrite: asksToWrite && !completed,
      effects: asksToWrite ? effectsOf(title) : [],
      schedule,
      enabled: row.enabled ?? true,
      completed,
      lastRunAt: row.lastRunAt === null ? null : Math.min(row.lastRunAt, now),
      nextRunAt: completed ? null : firstRun(schedule, now, 'UTC'),
    }
  } catch (error) {
    const why = whyNot(error)
    findings.refuse('tasks', why, title)
    return undefined
  }
}

function scheduleOf({ recurrence, nextRunAt }: TaskThere): Schedule {
  const words = (recurrence ?? 'pending').trim()
  if (words === 'pending' || words === '') return { kind: 'every-tick' }
  if (words === 'once') {
    return nextRunAt === null ? { kind: 'once' } : { kind: 'once', at: new Date(nextRunAt).toISOString() }
  }
  const [, expression] = /^cron:(.*)$/s.exec(words) ?? []
  if (expression === undefined) throw new NoSuchSchedule('its recurrence is neither once, pending nor cron')
  return parseSchedule({ kind: 'cron', expression: cronFromThere(expression), timezone: 'UTC' }, 'UTC')
}

const whyNot = (error: unknown): string => {
  if (error instanceof NoSuchSchedule) return `It has no schedule that there is here: ${error.message}.`
  if (error instanceof Fault && error.code === 'task/schedule-invalid')
    return 'Its cron expression names no day that ever comes.'
  throw error
}

function add({ parts: { stores } }: ImportRun, task: Task, turn: Turn): void {
  stores.tasks.insert(task)
  if (task.enabled && task.nextRunAt !== null) stores.ticks.bringForward(task.world, task.nextRunAt)
  turn.tell(heartbeatId, heartbeatId, { type: 'reschedule' })
  turn.news({ type: 'task', id: task.id, what: 'added' })
}

function ask(run: ImportRun, task: Task, asked: Set<TaskId>, turn: Turn, findings: Findings): void {
  if (task.enabled && (asked.has(task.id) || asked.size < mostQuestions)) {
    asked.add(task.id)
    run.parts.book.ask(turn, task)
    findings.changed('tasks', 'It asks for an effect: it only reads until you say yes to its card.', task.title)
  } else {
    const how = 'It asks for an effect: it only reads until you say so with undermind tasks edit --intent write.'
    findings.changed('tasks', how, task.title)
  }
}
