import type { Directive } from '../domain/directive.ts'
import type { Card } from '../domain/escalation.ts'
import type { Evaluation } from '../domain/evaluation.ts'
import type { CycleId, DirectiveId, SessionId } from '../domain/ids.ts'
import type { SessionMessage } from '../domain/session.ts'
import type { Db } from './open.ts'

export type PastStore = ReturnType<typeof pastStore>

/** What is left of a cycle that ran elsewhere. */
export interface PastCycle {
  id: CycleId
  session: SessionId
  agent: string
  number: number
  summary: string
  traceTokens: number
  tokens: number
  at: number
}

export interface PastDiff {
  cycle: CycleId
  session: SessionId
  agent: string
  signature: string
  change: string
  delta: string
  at: number
}

/** A directive that holds no more: another took its place, or it was left behind. */
export type PastDirective = Pick<
  Directive,
  'id' | 'text' | 'createdCycle' | 'expiresAfter' | 'createdAt' | 'endedAt' | 'supersededBy' | 'revokedBy'
>

/**
 * Puts down what happened elsewhere and is over. Nobody is woken by it: no actor is made, what is said counts as answered,
 * and no review has it before it. A row that is there already stays as it is, and false is returned.
 */
export function pastStore(db: Db) {
  const evaluation = db.prepare(
    `INSERT OR IGNORE INTO evaluation(id, task, world, batch, state, decision, reason, text, from_seq, through_seq, failure, tainted,
       created_at, settled_at)
     VALUES(@id, @task, @world, 0, @state, @decision, @reason, @text, 0, 0, @failure, 1, @createdAt, @settledAt)`,
  )
  const card = db.prepare(
    `INSERT OR IGNORE INTO escalation(id, task, world, kind, state, title, summary, priority, calls, provenance, digest, fingerprint,
       external, bundled, created_at, refreshed_at, expires_at, answered_at, answered_by, answer)
     VALUES(@id, @task, @world, 'proposal', @state, @title, @summary, @priority, '[]', '[]', '', '', 1, 0, @createdAt, @createdAt,
       @createdAt, @answeredAt, @answeredBy, @answer)`,
  )
  const hasActor = db.prepare<[string], number>('SELECT 1 FROM actor WHERE id = ?').pluck()
  const message = db.prepare(
    `INSERT OR IGNORE INTO message(session, seq, id, role, body, at) SELECT id, head + 1, ?, ?, ?, ? FROM session WHERE id = ?`,
  )
  const moved = db.prepare(
    `UPDATE session SET head = head + 1, inbound = CASE WHEN @isInbound THEN head + 1 ELSE inbound END,
     cursor = CASE WHEN @isInbound THEN head + 1 ELSE cursor END, read = head + 1, active_at = max(active_at, @at) WHERE id = @session`,
  )
  const head = db.prepare<[string], number>('SELECT head FROM session WHERE id = ?').pluck()
  const saidAt = db.prepare<[string, number], number>('SELECT at FROM message WHERE session = ? AND seq = ?').pluck()
  const cycle = db.prepare(
    `INSERT OR IGNORE INTO compressed_history(id, session, agent, through_seq, cycle, summary, trace_tokens, tokens, tainted, created_at)
     VALUES(@id, @session, @agent, @through, @number, @summary, @traceTokens, @tokens, 1, @at)`,
  )
  const reviewed = db.prepare('DELETE FROM unreviewed WHERE id = ?')
  const cycles = db.prepare<[string], number>('SELECT count(*) FROM compressed_history WHERE session = ?').pluck()
  const diff = db.prepare(
    `INSERT OR IGNORE INTO world_diff(session, seq, cycle, agent, signature, change, delta, created_at)
     SELECT @session, 1 + coalesce(max(seq), 0), @cycle, @agent, @signature, @change, @delta, @at FROM world_diff WHERE session = @session`,
  )
  const directive = db.prepare(
    `INSERT OR IGNORE INTO directive(id, scope, text, created_cycle, expires_after, rows, created_at, superseded_by, ended_at, revoked_by)
     VALUES(@id, NULL, @text, @createdCycle, @expiresAfter, '[]', @createdAt, @supersededBy, @endedAt, @revokedBy)`,
  )
  const directiveThere = db.prepare<[string], number>('SELECT 1 FROM directive WHERE id = ?').pluck()

  /** The newest message of a session that is no newer than `at`; messages stand in the order of their times. */
  const throughAt = (session: SessionId, at: number): number => {
    let before = 0
    for (let after = (head.get(session) ?? 0) + 1; after - before > 1; ) {
      const middle = (before + after) >> 1
      if ((saidAt.get(session, middle) ?? 0) <= at) before = middle
      else after = middle
    }
    return before
  }

  return {
    evaluation: ({
      id,
      task,
      world,
      state,
      decision,
      reason,
      text,
      failure,
      createdAt,
      settledAt,
    }: Pick<
      Evaluation,
      'id' | 'task' | 'world' | 'state' | 'decision' | 'reason' | 'text' | 'failure' | 'createdAt' | 'settledAt'
    >): boolean =>
      evaluation.run({
        ...{ id, task, world, state, decision, reason, text, createdAt, settledAt },
        failure: failure && JSON.stringify(failure),
      }).changes === 1,
    /** A card that has been answered, or that nobody will answer any more. */
    card: ({
      id,
      task,
      world,
      state,
      title,
      summary,
      priority,
      createdAt,
      answeredAt,
      answeredBy,
      answer,
    }: Omit<
      Card,
      | 'kind'
      | 'calls'
      | 'provenance'
      | 'digest'
      | 'fingerprint'
      | 'external'
      | 'bundled'
      | 'refreshedAt'
      | 'expiresAt'
      | 'state'
    > & { state: 'approved' | 'dismissed' | 'withdrawn' }): boolean =>
      card.run({ id, task, world, state, title, summary, priority, createdAt, answeredAt, answeredBy, answer })
        .changes === 1,

    /** True for a session that is looked after here: what is put behind its messages would be answered. */
    hasGoneOn: (session: SessionId): boolean => hasActor.get(session) === 1,
    message({ session, id, role, body, at }: Pick<SessionMessage, 'session' | 'id' | 'role' | 'body' | 'at'>): boolean {
      if (message.run(id, role, body, at, session).changes === 0) return false
      moved.run({ session, at, isInbound: Number(role === 'user') })
      return true
    },
    cycles: (session: SessionId): number => cycles.get(session) ?? 0,
    cycle(row: PastCycle): boolean {
      if (cycle.run({ ...row, through: throughAt(row.session, row.at) }).changes === 0) return false
      reviewed.run(row.id)
      return true
    },
    diff: (row: PastDiff): boolean => diff.run(row).changes === 1,
    hasDirective: (id: DirectiveId): boolean => directiveThere.get(id) === 1,
    directive: (row: PastDirective): boolean => directive.run(row).changes === 1,
  }
}
