import type { Evaluation, EvaluationState } from '../domain/evaluation.ts'
import type { EvaluationId, TaskId, TickId } from '../domain/ids.ts'
import type { Surfaced } from '../domain/report.ts'
import type { Db } from './open.ts'

const columns = `id, task, world, tick, batch, state, phase, decision, reason, text, sources, from_seq AS "from",
  through_seq AS through, call, failure, retry_of AS retryOf, tainted, created_at AS createdAt, settled_at AS settledAt`

type Row = Omit<Evaluation, 'sources' | 'failure' | 'tainted'> & {
  sources: string | null
  failure: string | null
  tainted: number
}

/** What a verdict is dealt by. */
export type Judged = Pick<Evaluation, 'id' | 'task' | 'tainted'>

const toEvaluation = (row: Row): Evaluation => ({
  ...row,
  sources: row.sources === null ? [] : JSON.parse(row.sources),
  failure: row.failure === null ? null : JSON.parse(row.failure),
  tainted: row.tainted === 1,
})

export interface LogFilter {
  task?: TaskId
  tick?: TickId
  state?: EvaluationState
  since?: number
  /** Only what came before this one, newest first. */
  before?: EvaluationId
  limit: number
}

/** Once an evaluation has had a card its tick has let go of it, also while the user's reply is being considered. */
const hasNotAsked = 'NOT EXISTS (SELECT 1 FROM escalation WHERE escalation.id = evaluation.id)'

/** The activity log: one row per evaluation, updated in place as it moves. */
export function evaluationStore(db: Db) {
  const insert = db.prepare(
    `INSERT INTO evaluation(id, task, world, tick, batch, state, phase, text, sources, from_seq, through_seq, retry_of, tainted, created_at)
     VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const move = db.prepare(
    `UPDATE evaluation SET state = ?, phase = ?, decision = ?, reason = ?, text = ?, sources = ?, call = ?, failure = ?, tainted = ?,
     settled_at = ? WHERE id = ?`,
  )
  const get = db.prepare<[string], Row>(`SELECT ${columns} FROM evaluation WHERE id = ?`)
  const judging = db.prepare<[string, number, string, number], Pick<Row, keyof Judged>>(
    `SELECT id, task, tainted FROM evaluation WHERE tick = ? AND batch = ? AND state = 'inProgress' AND phase = 'judging' AND id > ?
     ORDER BY id LIMIT ?`,
  )
  const opened = db.prepare<[string], { batches: number; evaluations: number }>(
    'SELECT coalesce(max(batch), -1) + 1 AS batches, count(*) AS evaluations FROM evaluation WHERE tick = ?',
  )
  const tasksOf = db
    .prepare<{ tick: TickId; batch: number | null }, TaskId>(
      'SELECT task FROM evaluation WHERE tick = @tick AND (@batch IS NULL OR batch = @batch) ORDER BY id',
    )
    .pluck()
  const window = db.prepare<[string, number], { from: number; through: number }>(
    'SELECT min(from_seq) AS "from", max(through_seq) AS through FROM evaluation WHERE tick = ? AND batch = ?',
  )
  const open = db
    .prepare<[string], EvaluationId>(
      `SELECT id FROM evaluation WHERE tick = ? AND state = 'inProgress' AND phase IS NOT 'carryingOut' AND ${hasNotAsked}`,
    )
    .pluck()
  const remaining = db
    .prepare<[string], number>(
      `SELECT count(*) FROM (SELECT 1 FROM evaluation WHERE tick = ? AND state = 'inProgress' AND phase IS NOT 'carryingOut'
       AND ${hasNotAsked} LIMIT 1)`,
    )
    .pluck()
  const busyTasks = db.prepare<[], { task: TaskId; tick: TickId | null }>(
    `SELECT task, tick FROM evaluation INDEXED BY evaluation_open WHERE state = 'inProgress'`,
  )
  const busyOf = db
    .prepare<[string], EvaluationId>(
      `SELECT id FROM evaluation WHERE task = ? AND state = 'inProgress' AND phase IS NOT 'carryingOut'`,
    )
    .pluck()
  const ofTick = db.prepare<[string], Row>(`SELECT ${columns} FROM evaluation WHERE tick = ? ORDER BY id`)
  const surfaced = db.prepare<[string, number], Surfaced>(
    `SELECT id AS evaluation, task, state, coalesce(text, '') AS text, created_at AS at FROM evaluation
     WHERE task = ? AND state IN ('acted', 'awaitingApproval', 'dismissed') ORDER BY created_at DESC LIMIT ?`,
  )

  return {
    insert(row: Evaluation): void {
      insert.run(
        row.id,
        row.task,
        row.world,
        row.tick,
        row.batch,
        row.state,
        row.phase,
        row.text,
        row.sources.length === 0 ? null : JSON.stringify(row.sources),
        row.from,
        row.through,
        row.retryOf,
        Number(row.tainted),
        row.createdAt,
      )
    },
    move(
      row: Omit<Evaluation, 'task' | 'world' | 'tick' | 'batch' | 'from' | 'through' | 'retryOf' | 'createdAt'>,
    ): void {
      move.run(
        row.state,
        row.phase,
        row.decision,
        row.reason,
        row.text,
        row.sources.length === 0 ? null : JSON.stringify(row.sources),
        row.call,
        row.failure && JSON.stringify(row.failure),
        Number(row.tainted),
        row.settledAt,
        row.id,
      )
    },
    get(id: EvaluationId): Evaluation | undefined {
      const row = get.get(id)
      return row && toEvaluation(row)
    },
    /** Those of a batch that still wait for a verdict, a page at a time. */
    judging: (tick: TickId, batch: number, after: EvaluationId | null, limit: number): Judged[] =>
      judging.all(tick, batch, after ?? '', limit).map((row) => ({ ...row, tainted: row.tainted === 1 })),
    /** How much of a tick has been opened; the number of batches is that of the next one, too. */
    openedIn: (tick: TickId): { batches: number; evaluations: number } =>
      opened.get(tick) ?? { batches: 0, evaluations: 0 },
    /** Tasks that a tick judges, or a batch of it. */
    tasksOf: (tick: TickId, batch?: number): TaskId[] => tasksOf.all({ tick, batch: batch ?? null }),
    /** The changes that a batch is judged on: after `from`, through `through`. */
    windowOf: (tick: TickId, batch: number): { from: number; through: number } =>
      window.get(tick, batch) ?? { from: 0, through: 0 },
    /** Those the tick still waits for. */
    openIn: (tick: TickId): EvaluationId[] => open.all(tick),
    /** 0 when the tick waits for nothing more; counts no further than 1. */
    remainingIn: (tick: TickId): number => remaining.get(tick) ?? 0,
    /** Tasks that have an evaluation in progress, and in which tick. */
    busyTasks: (): { task: TaskId; tick: TickId | null }[] => busyTasks.all(),
    /** Evaluations of a task that are in progress and have not begun to carry anything out. */
    busyOf: (task: TaskId): EvaluationId[] => busyOf.all(task),
    ofTick: (tick: TickId): Evaluation[] => ofTick.all(tick).map(toEvaluation),
    surfaced: (task: TaskId, limit: number): Surfaced[] => surfaced.all(task, limit),
    /** Newest first. */
    log(filter: LogFilter): Evaluation[] {
      const where: string[] = []
      const values: (string | number)[] = []
      const also = (clause: string, ...given: (string | number)[]) => {
        where.push(clause)
        values.push(...given)
      }
      if (filter.task !== undefined) also('task = ?', filter.task)
      if (filter.tick !== undefined) also('tick = ?', filter.tick)
      if (filter.state !== undefined) also('state = ?', filter.state)
      if (filter.since !== undefined) also('created_at >= ?', filter.since)
      if (filter.before !== undefined) {
        also('(created_at, id) < (SELECT created_at, id FROM evaluation WHERE id = ?)', filter.before)
      }
      const clause = where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''
      return db
        .prepare<unknown[], Row>(
          `SELECT ${columns} FROM evaluation ${clause} ORDER BY created_at DESC, id DESC LIMIT ?`,
        )
        .all(...values, filter.limit)
        .map(toEvaluation)
    },
  }
}
