import type { Statement } from 'better-sqlite3'
import type { GoalId, TaskId, WorldId } from '../domain/ids.ts'
import type { DueTask, Goal, Task, TaskStanding } from '../domain/task.ts'
import type { Db } from './open.ts'

type Row = { [Column in keyof Task]: unknown }

const columns: Record<keyof Task, string> = {
  id: 'id',
  world: 'world',
  title: 'title',
  origin: 'origin',
  source: 'source',
  judge: 'judge',
  intent: 'intent',
  intentBy: 'intent_by',
  asksToWrite: 'asks_to_write',
  effects: 'effects',
  schedule: 'schedule',
  inputs: 'inputs',
  onlyIfChanged: 'only_if_changed',
  catchUp: 'catch_up',
  maxLatenessMs: 'max_lateness_ms',
  enabled: 'enabled',
  paused: 'paused',
  completed: 'completed',
  retired: 'retired',
  createdAt: 'created_at',
  lastRunAt: 'last_run_at',
  nextRunAt: 'next_run_at',
  retryAt: 'retry_at',
  attempts: 'attempts',
  retryOf: 'retry_of',
  judgedThrough: 'judged_through',
}
const names = Object.keys(columns) as (keyof Task)[]
const booleans = new Set<keyof Task>(['asksToWrite', 'onlyIfChanged', 'enabled', 'completed', 'retired'])
const json = new Set<keyof Task>(['effects', 'schedule', 'inputs'])
/** What deciding whether a due task has something to judge needs; a tick reads this of every due task. */
const dueNames = [
  'id',
  'title',
  'intent',
  'schedule',
  'inputs',
  'onlyIfChanged',
  'lastRunAt',
  'nextRunAt',
  'attempts',
  'retryOf',
  'judgedThrough',
] as const satisfies (keyof Task)[]
const selectedDue = dueNames.map((name) => `${columns[name]} AS ${name}`).join(', ')
const selected = names.map((name) => `${columns[name]} AS ${name}`).join(', ')

const toColumn = (name: keyof Task, value: unknown): unknown =>
  booleans.has(name) ? Number(value) : json.has(name) ? JSON.stringify(value) : value

/** Most tasks share their few schedules, inputs and effects: each text is parsed once. Frozen, since it is shared. */
const parsed = new Map<string, unknown>()
const mostParsed = 1000

function parse(text: string): unknown {
  let value = parsed.get(text)
  if (value === undefined) {
    value = Object.freeze(JSON.parse(text))
    if (parsed.size >= mostParsed) parsed.clear()
    parsed.set(text, value)
  }
  return value
}

/** The row becomes the task in place: it was made for this call. */
const toTask = (row: Row): Task => {
  for (const name of booleans) row[name] = row[name] === 1
  for (const name of json) row[name] = parse(String(row[name]))
  return row as Task
}

/** Word for word what the index of due tasks is for. */
const isLive = 'enabled = 1 AND paused IS NULL AND completed = 0 AND retired = 0'

export type FoundDue = DueTask & { dueAt: number | null }

interface DueQuery {
  world: string
  now: number
  dueAt: number | null
  id: string
  limit: number
}

type DueRow = Omit<FoundDue, 'schedule' | 'inputs' | 'onlyIfChanged'> & {
  schedule: string
  inputs: string
  onlyIfChanged: number
}

/** The tasks, one row each; nothing here decides when a task runs. */
export function taskStore(db: Db) {
  const get = db.prepare<[string], Row>(`SELECT ${selected} FROM task WHERE id = ?`)
  const standing = db.prepare<[string], Omit<TaskStanding, 'schedule'> & { schedule: string }>(
    'SELECT id, schedule, next_run_at AS nextRunAt, attempts FROM task WHERE id = ?',
  )
  const byTitle = db.prepare<[string, string], Row>(
    `SELECT ${selected} FROM task WHERE world = ? AND title = ? AND retired = 0 AND completed = 0`,
  )
  const insert = db.prepare(
    `INSERT INTO task(${names.map((name) => columns[name]).join(', ')}) VALUES(${names.map((name) => `@${name}`).join(', ')})`,
  )
  const list = db.prepare<[number], Row>(`SELECT ${selected} FROM task WHERE retired <= ? ORDER BY created_at, id`)
  const ofHeartbeatFile = db.prepare<[], Row>(
    `SELECT ${selected} FROM task WHERE origin = 'heartbeat' ORDER BY created_at, id`,
  )
  const checkedByCode = db.prepare<[], Row>(
    `SELECT ${selected} FROM task WHERE judge <> 'model' AND enabled = 1 AND retired = 0`,
  )
  // Those that may run and those that are paused have an index each: nothing is read of the many others.
  const counts = db
    .prepare<[], number>(
      `SELECT (SELECT count(*) FROM task WHERE ${isLive})
       + (SELECT count(*) FROM task WHERE paused IS NOT NULL AND enabled = 1 AND completed = 0 AND retired = 0)`,
    )
    .pluck()
  const paused = db.prepare<[number], { id: TaskId; title: string; why: string }>(
    'SELECT id, title, paused AS why FROM task WHERE paused IS NOT NULL AND retired = 0 ORDER BY id LIMIT ?',
  )
  // Two questions, each answered from its place in the index on: asked as one, every page would sort all that is due.
  const dueAlways = db.prepare<DueQuery, DueRow>(
    `SELECT ${selectedDue}, due_at AS dueAt FROM task WHERE world = @world AND ${isLive} AND judge = 'model'
     AND due_at IS NULL AND id > @id ORDER BY id LIMIT @limit`,
  )
  const dueDated = db.prepare<DueQuery, DueRow>(
    `SELECT ${selectedDue}, due_at AS dueAt FROM task WHERE world = @world AND ${isLive} AND judge = 'model'
     AND due_at <= @now AND (due_at, id) > (@dueAt, @id) ORDER BY due_at, id LIMIT @limit`,
  )
  const dueByDate = db.prepare<[string, number], Row>(
    `SELECT ${selected} FROM task WHERE world = ? AND ${isLive} AND judge = 'model' AND due_at <= ? ORDER BY due_at`,
  )
  const nextDue = db
    .prepare<[string, number], number>(`SELECT min(due_at) FROM task WHERE world = ? AND ${isLive} AND due_at > ?`)
    .pluck()
  // Most tasks stay where they are in every index: then only their row is written.
  const mark = db.prepare(
    `UPDATE task SET judged_through = max(judged_through, ?), last_run_at = ?
     WHERE id = ? AND next_run_at IS ? AND completed = ? AND retry_at IS NULL AND attempts = 0 AND retry_of IS NULL`,
  )
  const settle = db.prepare(
    `UPDATE task SET judged_through = max(judged_through, ?), last_run_at = ?, next_run_at = ?, completed = ?, retry_at = NULL,
     attempts = 0, retry_of = NULL WHERE id = ?`,
  )
  const lowestMark = db
    .prepare<[], number>(
      "SELECT min(judged_through) FROM task WHERE enabled = 1 AND retired = 0 AND completed = 0 AND judge = 'model'",
    )
    .pluck()
  const goals = db.prepare<[], Goal>('SELECT id, text, created_at AS createdAt FROM goal ORDER BY created_at, id')
  const putGoal = db.prepare('INSERT INTO goal VALUES(?, ?, ?) ON CONFLICT DO UPDATE SET text = excluded.text')
  const dropGoal = db.prepare('DELETE FROM goal WHERE id = ?')
  const updates = new Map<string, Statement<unknown[]>>()

  return {
    get(id: TaskId): Task | undefined {
      const row = get.get(id)
      return row && toTask(row)
    },
    standing(id: TaskId): TaskStanding | undefined {
      const row = standing.get(id)
      return row && { ...row, schedule: parse(row.schedule) as TaskStanding['schedule'] }
    },
    /** The open task of this title. */
    byTitle(world: WorldId, title: string): Task | undefined {
      const row = byTitle.get(world, title)
      return row && toTask(row)
    },
    /** Tasks that a line of HEARTBEAT.md asks for or has asked for, retired ones too. */
    ofHeartbeatFile: (): Task[] => ofHeartbeatFile.all().map(toTask),
    list: (options: { retired?: boolean } = {}): Task[] => list.all(options.retired ? 1 : 0).map(toTask),
    /** Tasks that need no model. */
    checkedByCode: (): Task[] => checkedByCode.all().map(toTask),
    count: (): number => counts.get() ?? 0,
    /** Tasks that are paused, and why. */
    paused: (limit: number): { id: TaskId; title: string; why: string }[] => paused.all(limit),
    /** Tasks whose time has come, a page at a time: those that have none of their own, then the others by theirs. */
    due(world: WorldId, now: number, after: Pick<FoundDue, 'dueAt' | 'id'> | null, limit: number): FoundDue[] {
      const { dueAt = null, id = '' } = after ?? {}
      const rows = dueAt === null ? dueAlways.all({ world, now, dueAt, id, limit }) : []
      const from = dueAt === null ? { dueAt: Number.MIN_SAFE_INTEGER, id: '' } : { dueAt, id }
      if (rows.length < limit) rows.push(...dueDated.all({ world, now, ...from, limit: limit - rows.length }))
      return rows.map((row) => ({
        ...row,
        schedule: parse(row.schedule) as DueTask['schedule'],
        inputs: parse(row.inputs) as string[],
        onlyIfChanged: row.onlyIfChanged === 1,
      }))
    },
    /** Of those, the ones that have a time of their own. */
    dueByDate: (world: WorldId, now: number): Task[] => dueByDate.all(world, now).map(toTask),
    /** When the next task with a time of its own is due, after `now`. */
    nextDueAt: (world: WorldId, now: number): number | null => nextDue.get(world, now) ?? null,
    insert(task: Task): void {
      insert.run(Object.fromEntries(names.map((name) => [name, toColumn(name, task[name])])))
    },
    update(id: TaskId, change: Partial<Omit<Task, 'id'>>): void {
      const changed = (Object.keys(change) as (keyof Task)[]).sort()
      if (changed.length === 0) return
      const key = changed.join()
      let statement = updates.get(key)
      if (!statement) {
        statement = db.prepare(
          `UPDATE task SET ${changed.map((name) => `${columns[name]} = ?`).join(', ')} WHERE id = ?`,
        )
        updates.set(key, statement)
      }
      statement.run(...changed.map((name) => toColumn(name, (change as Partial<Task>)[name])), id)
    },
    /** Moves a task's marks to the end of what was judged. */
    settle(id: TaskId, end: { through: number; at: number; nextRunAt: number | null; completed: boolean }): void {
      const { through, at, nextRunAt, completed } = end
      if (mark.run(through, at, id, nextRunAt, Number(completed)).changes === 1) return
      settle.run(through, at, nextRunAt, Number(completed), id)
    },
    /** Changes up to this one have been judged by every enabled task; null when there is none. */
    lowestMark: (): number | null => lowestMark.get() ?? null,

    goals: (): Goal[] => goals.all(),
    putGoal(goal: Goal): void {
      putGoal.run(goal.id, goal.text, goal.createdAt)
    },
    dropGoal: (id: GoalId): boolean => dropGoal.run(id).changes === 1,
  }
}
