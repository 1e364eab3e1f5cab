import type { Card, CardState } from '../domain/escalation.ts'
import type { EvaluationId, TaskId, WorldId } from '../domain/ids.ts'
import type { Db } from './open.ts'

const columns = `id, task, world, kind, state, title, summary, priority, calls, provenance, digest, fingerprint, external, bundled,
  created_at AS createdAt, refreshed_at AS refreshedAt, expires_at AS expiresAt, answered_at AS answeredAt, answered_by AS answeredBy, answer`

type Row = Omit<Card, 'calls' | 'provenance' | 'external' | 'bundled'> & {
  calls: string
  provenance: string
  external: number
  bundled: number
}

const toCard = (row: Row): Card => ({
  ...row,
  calls: JSON.parse(row.calls),
  provenance: JSON.parse(row.provenance),
  external: row.external === 1,
  bundled: row.bundled === 1,
})

/** The inbox: one row per evaluation that has waited for the user, with the answer it got. */
export function escalationStore(db: Db) {
  const put = db.prepare(
    `INSERT INTO escalation(id, task, world, kind, state, title, summary, priority, calls, provenance, digest, fingerprint, external,
       bundled, created_at, refreshed_at, expires_at)
     VALUES(@id, @task, @world, @kind, @state, @title, @summary, @priority, @calls, @provenance, @digest, @fingerprint, @external,
       @bundled, @createdAt, @refreshedAt, @expiresAt)
     ON CONFLICT DO UPDATE SET kind = excluded.kind, state = excluded.state, title = excluded.title, summary = excluded.summary,
       priority = excluded.priority, calls = excluded.calls, provenance = excluded.provenance, digest = excluded.digest,
       fingerprint = excluded.fingerprint, external = excluded.external, refreshed_at = excluded.refreshed_at,
       expires_at = excluded.expires_at, answered_at = NULL, answered_by = NULL, answer = NULL`,
  )
  const answer = db.prepare(
    'UPDATE escalation SET state = ?, answered_at = ?, answered_by = ?, answer = ?, calls = coalesce(?, calls) WHERE id = ?',
  )
  const get = db.prepare<[string], Row>(`SELECT ${columns} FROM escalation WHERE id = ?`)
  const openOf = db.prepare<[string], Row>(`SELECT ${columns} FROM escalation WHERE task = ? AND state = 'open'`)
  const openCount = db.prepare<[], number>("SELECT count(*) FROM escalation WHERE state = 'open'").pluck()
  const since = db
    .prepare<[string, number, number], number>(
      'SELECT count(*) FROM (SELECT 1 FROM escalation WHERE world = ? AND created_at >= ? LIMIT ?)',
    )
    .pluck()
  const silenced = db
    .prepare<[string, string, number], number>(
      'SELECT 1 FROM escalation WHERE task = ? AND fingerprint = ? AND silent_until > ? LIMIT 1',
    )
    .pluck()
  const silence = db.prepare('UPDATE escalation SET silent_until = ? WHERE id = ?')
  const refresh = db.prepare('UPDATE escalation SET refreshed_at = ? WHERE id = ?')
  const list = db.prepare<[number], Row>(`SELECT ${columns} FROM escalation ORDER BY created_at DESC, id DESC LIMIT ?`)
  const open = db.prepare<[number], Row>(
    `SELECT ${columns} FROM escalation WHERE state = 'open' ORDER BY created_at DESC, id DESC LIMIT ?`,
  )

  return {
    put(card: Card): void {
      put.run({
        ...card,
        calls: JSON.stringify(card.calls),
        provenance: JSON.stringify(card.provenance),
        external: Number(card.external),
        bundled: Number(card.bundled),
      })
    },
    close(
      id: EvaluationId,
      end: { state: CardState; at: number; answer: { by: string; answer: string } | null; calls?: Card['calls'] },
    ): void {
      answer.run(
        end.state,
        end.at,
        end.answer?.by ?? null,
        end.answer?.answer ?? null,
        end.calls ? JSON.stringify(end.calls) : null,
        id,
      )
    },
    get(id: EvaluationId): Card | undefined {
      const row = get.get(id)
      return row && toCard(row)
    },
    openOf: (task: TaskId): Card[] => openOf.all(task).map(toCard),
    openCount: (): number => openCount.get() ?? 0,
    /** How many cards a world has made since `at`; counts no further than `most`. */
    countSince: (world: WorldId, at: number, most: number): number => since.get(world, at, most) ?? 0,
    /** True while the user does not want to hear of this action for this task. */
    isSilenced: (task: TaskId, fingerprint: string, now: number): boolean => silenced.get(task, fingerprint, now) === 1,
    silence(id: EvaluationId, until: number): void {
      silence.run(until, id)
    },
    refresh(id: EvaluationId, at: number): void {
      refresh.run(at, id)
    },
    /** Newest first. */
    open: (limit: number): Card[] => open.all(limit).map(toCard),
    list: (limit: number): Card[] => list.all(limit).map(toCard),
  }
}
