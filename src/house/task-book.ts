import type { ActorHost } from '../actors/actor-host.ts'
import { heartbeatId } from '../actors/heartbeat.ts'
import type { Turn } from '../actors/seat.ts'
import type { Clock } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'
import type { EvaluationId, Ids, TaskId } from '../domain/ids.ts'
import type { Schedule } from '../domain/schedule.ts'
import { type Intent, type Task, TaskTitle } from '../domain/task.ts'
import type { AnswerEvent } from '../machines/instance-words.ts'
import { validateInputs } from '../memory/inputs.ts'
import { effectsOf, intentByRule } from '../tasks/intent.ts'
import { firstRun, parseSchedule } from '../tasks/schedule.ts'
import { scheduleFromText } from '../tasks/schedule-text.ts'
import { askToWrite } from './ask-to-write.ts'
import { blankTask, memoryWorld } from './blank-task.ts'
import type { IntentAsker } from './intent-asker.ts'
import type { Stores } from './stores.ts'

export interface TaskBookParts {
  host: Pick<ActorHost, 'write'>
  stores: Stores
  clock: Clock
  ids: Ids
  timezone(): string
  /** What a model says that the words ask for; see `IntentAsker`. */
  askIntent: IntentAsker
}

export interface NewTask {
  title: string
  schedule?: unknown
  intent?: Intent
  inputs?: string[]
  onlyIfChanged?: boolean
  catchUp?: 'once' | 'skip'
  maxLatenessMs?: number | null
}

export type TaskEdit = Partial<NewTask> & { enabled?: boolean }

/** What the user does to tasks and goals. Everything is checked here, once, whichever door it came through. */
export class TaskBook {
  readonly #parts: TaskBookParts

  constructor(parts: TaskBookParts) {
    this.#parts = parts
  }

  /**
   * Adds a task of the user's; where they do not say whether it may write, a model is asked once, and a rule where none
   * knows. Throws `task/title-invalid`, `task/schedule-invalid`, `task/inputs-invalid`, `task/exists`.
   */
  add(given: NewTask): Promise<Task> {
    const title = readTitle(given.title)
    const schedule = this.#schedule(given.schedule ?? { kind: 'every-tick' })
    const checked = { title, schedule, inputs: validateInputs(given.inputs ?? []) }
    return this.#add(given, checked)
  }

  async #add(given: NewTask, { title, schedule, inputs }: Pick<Task, 'title' | 'schedule' | 'inputs'>): Promise<Task> {
    const { stores, ids, clock, host, timezone, askIntent } = this.#parts
    refuseTwin(stores, title, null)
    const id = ids.next<TaskId>('task')
    const said = given.intent ?? (await askIntent(id, title))
    const intent = said ?? intentByRule(title)
    const now = clock.now()
    const task: Task = {
      ...blankTask(title, now),
      id,
      origin: 'user',
      source: 'user',
      intent,
      intentBy: given.intent ? 'user' : said ? 'model' : 'rule',
      effects: intent === 'write' ? effectsOf(title) : [],
      schedule,
      inputs,
      onlyIfChanged: given.onlyIfChanged ?? false,
      catchUp: given.catchUp ?? 'once',
      maxLatenessMs: given.maxLatenessMs ?? null,
      nextRunAt: firstRun(schedule, now, timezone()),
    }
    return host.write((turn) => {
      refuseTwin(stores, title, null)
      stores.tasks.insert(task)
      this.#rescheduled(turn, task)
      turn.news({ type: 'task', id: task.id, what: 'added' })
      return task
    })
  }

  /** Changes a task. System tasks can be switched off and given inputs or a schedule, not renamed: their words are their source's. */
  edit(given: string, change: TaskEdit): Promise<Task> {
    const { stores, host, clock, timezone } = this.#parts
    return host.write((turn) => {
      const task = this.#find(given)
      const next: Partial<Task> = {}
      if (change.title !== undefined && change.title.trim() !== task.title) {
        if (task.source === 'system')
          throw systemTask(
            task,
            'renamed',
            task.origin === 'heartbeat' ? 'Edit its line in HEARTBEAT.md.' : 'Disable it and add one of your own.',
          )
        next.title = readTitle(change.title)
        refuseTwin(stores, next.title, task.id)
        if (task.intentBy !== 'user') Object.assign(next, { intent: intentByRule(next.title), intentBy: 'rule' })
        next.effects = (next.intent ?? task.intent) === 'write' ? effectsOf(next.title) : []
      }
      if (change.intent !== undefined) {
        next.intent = change.intent
        next.intentBy = 'user'
        next.asksToWrite = false
        this.withdrawQuestion(turn, task)
        next.effects = change.intent === 'write' ? effectsOf(next.title ?? task.title) : []
      }
      if (change.schedule !== undefined) {
        next.schedule = this.#schedule(change.schedule)
        next.nextRunAt = firstRun(next.schedule, clock.now(), timezone())
      }
      if (change.inputs !== undefined) next.inputs = validateInputs(change.inputs)
      if (change.onlyIfChanged !== undefined) next.onlyIfChanged = change.onlyIfChanged
      if (change.catchUp !== undefined) next.catchUp = change.catchUp
      if (change.maxLatenessMs !== undefined) next.maxLatenessMs = change.maxLatenessMs
      if (change.enabled !== undefined) {
        next.enabled = change.enabled
        if (change.enabled) Object.assign(next, { paused: null, attempts: 0, retryAt: null })
        else this.#withdraw(turn, task.id, 'The task was disabled')
      }
      stores.tasks.update(task.id, next)
      const edited = { ...task, ...next }
      this.#rescheduled(turn, edited)
      turn.news({ type: 'task', id: task.id, what: 'changed' })
      return edited
    })
  }

  /** Deletes a task of the user's: its history stays, its open cards are withdrawn. */
  remove(given: string): Promise<Task> {
    return this.#parts.host.write((turn) => {
      const task = this.#find(given)
      if (task.source === 'system') {
        throw systemTask(
          task,
          'deleted',
          task.origin === 'heartbeat' ? 'Remove its line from HEARTBEAT.md, or disable it.' : 'Disable it instead.',
        )
      }
      this.retire(turn, task)
      return task
    })
  }

  /** Takes a task out of service within a transaction. */
  retire(turn: Turn, task: Task): void {
    this.#parts.stores.tasks.update(task.id, { retired: true })
    this.#withdraw(turn, task.id, 'The task was deleted')
    turn.news({ type: 'task', id: task.id, what: 'retired' })
  }

  /** Takes back the question whether a task may write: its words have changed, or the user has answered otherwise. */
  withdrawQuestion(turn: Turn, task: Task): void {
    for (const { id: evaluation, kind } of this.#parts.stores.escalations.openOf(task.id)) {
      if (kind === 'confirmWrite') turn.tell(heartbeatId, heartbeatId, withdrawal(evaluation))
    }
  }

  /** Asks the user once whether a task that came from a file may write. */
  ask(turn: Turn, task: Task): void {
    askToWrite(turn, task, this.#parts.ids.next<EvaluationId>('ev'))
  }

  list(): Task[] {
    return this.#parts.stores.tasks.list().filter(({ completed }) => !completed)
  }

  /** Finds a task by its id or an unambiguous beginning of one, or by its exact title. */
  #find(given: string): Task {
    const all = this.#parts.stores.tasks.list()
    const exact = all.find((task) => task.id === given || task.title === given)
    const begun = all.filter((task) => task.id.startsWith(given))
    const found = exact ?? (begun.length === 1 && given.length > 0 ? begun[0] : undefined)
    if (!found) {
      throw Fault.use(
        'task/unknown',
        begun.length > 1
          ? `More than one task begins with ${given}. Give more of the id.`
          : `There is no task ${given}. undermind tasks list shows what there is.`,
        { task: given },
      )
    }
    return found
  }

  find(given: string): Task {
    return this.#find(given)
  }

  #schedule(given: unknown): Schedule {
    const zone = this.#parts.timezone()
    return typeof given === 'string' ? scheduleFromText(given, zone) : parseSchedule(given, zone)
  }

  #rescheduled(turn: Turn, task: Task): void {
    const { stores } = this.#parts
    if (task.nextRunAt !== null) stores.ticks.bringForward(task.world, task.nextRunAt)
    turn.tell(heartbeatId, heartbeatId, { type: 'reschedule' })
  }

  #withdraw(turn: Turn, task: TaskId, reason: string): void {
    const { stores } = this.#parts
    for (const { id: evaluation } of stores.escalations.openOf(task)) {
      turn.tell(heartbeatId, heartbeatId, withdrawal(evaluation))
    }
    for (const busy of stores.evaluations.busyOf(task)) {
      turn.tell(heartbeatId, heartbeatId, {
        type: 'cancelEvaluation',
        evaluation: busy,
        by: 'undermind',
        answer: `cancel ${busy}`,
        reason,
      })
    }
  }
}

const withdrawal = (evaluation: EvaluationId): AnswerEvent => ({
  type: 'dismiss',
  evaluation,
  by: 'undermind',
  answer: `withdraw ${evaluation}`,
  reason: 'withdrawn',
})

function readTitle(title: string): string {
  const read = TaskTitle.safeParse(title)
  if (read.success) return read.data
  throw Fault.use('task/title-invalid', `A task's title has 1 to 500 characters; this one has ${title.trim().length}.`)
}

function refuseTwin(stores: Stores, title: string, self: TaskId | null): void {
  const twin = stores.tasks.byTitle(memoryWorld, title)
  if (twin && twin.id !== self) {
    throw Fault.use('task/exists', `There is already an open task “${title}”: ${twin.id}.`, { task: twin.id })
  }
}

const systemTask = (task: Task, what: string, instead: string) =>
  Fault.use('task/is-system', `“${task.title}” is a system task and cannot be ${what}. ${instead}`, { task: task.id })
