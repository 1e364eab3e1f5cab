import type { Directive } from '../domain/directive.ts'
import type { CycleId, DirectiveId } from '../domain/ids.ts'
import type { Db } from './open.ts'

/** A row of the compressed history that no review has read, with the name of its session. */
export interface UnreviewedRow {
  id: CycleId
  agent: string
  session: string
  cycle: number
  summary: string
  at: number
}

export type NewDirective = Pick<
  Directive,
  'id' | 'scope' | 'text' | 'createdCycle' | 'expiresAfter' | 'rows' | 'againOf' | 'createdAt'
>

type Row = Omit<Directive, 'state' | 'age' | 'rows'> & { rows: string; seq: number; cycle: number }

// The counter of its scope: a directive for all counts the cycles of the user's own sessions, which it was drawn from.
const columns = `seq, id, scope, text, created_cycle AS createdCycle, expires_after AS expiresAfter, rows, again_of AS againOf,
  created_at AS createdAt, superseded_by AS supersededBy, ended_at AS endedAt, revoked_by AS revokedBy,
  coalesce((SELECT p.cycle FROM peer_cycle p WHERE p.agent = coalesce(directive.scope, @own)), 0) AS cycle`

const toDirective = ({ rows, seq: _seq, cycle, ...row }: Row): Directive => ({
  ...row,
  rows: JSON.parse(rows) as string[],
  age: Math.max(0, cycle - row.createdCycle),
  state:
    row.revokedBy !== null
      ? 'revoked'
      : row.supersededBy !== null
        ? 'superseded'
        : row.createdCycle + row.expiresAfter > cycle
          ? 'current'
          : 'expired',
})

/** What reviews of sessions came to, and what they have not read yet. `own` is the agent of the user's own sessions. */
export function directiveStore(db: Db, own: string) {
  const oldest = db.prepare<[], string>('SELECT agent FROM unreviewed ORDER BY created_at, id LIMIT 1').pluck()
  const next = db.prepare<[string, number], UnreviewedRow>(
    `SELECT h.id, h.agent, s.session, h.cycle, h.summary, h.created_at AS at
     FROM unreviewed u JOIN compressed_history h ON h.id = u.id JOIN session s ON s.id = h.session
     WHERE u.agent = ? ORDER BY u.created_at, u.id LIMIT ?`,
  )
  const waits = db.prepare<[string], string>('SELECT agent FROM unreviewed WHERE id = ?').pluck()
  const waiting = db.prepare<[], number>('SELECT count(*) FROM unreviewed').pluck()
  const read = db.prepare('DELETE FROM unreviewed WHERE id = ?')
  const mutations = db.prepare<[string, number], { signature: string; change: string }>(
    'SELECT signature, change FROM world_diff WHERE agent = ? ORDER BY created_at DESC, session, seq DESC LIMIT ?',
  )
  const cycle = db.prepare<[string], number>('SELECT cycle FROM peer_cycle WHERE agent = ?').pluck()
  const put = db.prepare(
    `INSERT OR IGNORE INTO directive(id, scope, text, created_cycle, expires_after, rows, again_of, created_at)
     VALUES(@id, @scope, @text, @createdCycle, @expiresAfter, @rows, @againOf, @createdAt)`,
  )
  const supersede = db.prepare(
    'UPDATE directive SET superseded_by = @id, ended_at = @createdAt WHERE scope IS @scope AND ended_at IS NULL AND id <> @id',
  )
  const revoke = db.prepare('UPDATE directive SET revoked_by = ?, ended_at = ? WHERE id = ? AND ended_at IS NULL')
  const get = db.prepare<{ id: string; own: string }, Row>(`SELECT ${columns} FROM directive WHERE id = @id`)
  const list = db.prepare<{ limit: number; own: string }, Row>(
    `SELECT ${columns} FROM directive ORDER BY seq DESC LIMIT @limit`,
  )
  const standing = db.prepare<{ scope: string | null; own: string }, Row>(
    `SELECT ${columns} FROM directive WHERE scope IS @scope AND ended_at IS NULL ORDER BY seq DESC LIMIT 1`,
  )

  return {
    /** The oldest rows that wait, all with the same agent. */
    unreviewed(limit: number): UnreviewedRow[] {
      const agent = oldest.get()
      return agent === undefined ? [] : next.all(agent, limit)
    },
    /** The agent of a row that waits; undefined for one that was read. */
    waits: (id: string): string | undefined => waits.get(id),
    waiting: (): number => waiting.get() ?? 0,
    markReviewed(ids: readonly string[]): void {
      for (const id of ids) read.run(id)
    },
    /** The latest changes that the sessions with an agent made, newest first. */
    mutations: (agent: string, limit: number) => mutations.all(agent, limit),
    cycleOf: (agent: string): number => cycle.get(agent) ?? 0,

    /** Puts down a directive in place of the one of its scope; false when there is one of its id already. */
    insert(directive: NewDirective): boolean {
      if (put.run({ ...directive, rows: JSON.stringify(directive.rows) }).changes === 0) return false
      supersede.run({ id: directive.id, scope: directive.scope, createdAt: directive.createdAt })
      return true
    },
    /** False for one that has ended before. */
    revoke: (id: DirectiveId, by: string, at: number): boolean => revoke.run(by, at, id).changes === 1,
    get(id: string): Directive | undefined {
      const row = get.get({ id, own })
      return row && toDirective(row)
    },
    /** Newest first. */
    list: (limit: number): Directive[] => list.all({ limit, own }).map(toDirective),
    /** What holds for the work of sessions with an agent: the newer of its own and of the one for all. */
    currentFor(agent: string): Directive | undefined {
      const scopes = agent === own ? [null] : [agent, null]
      return scopes
        .flatMap((scope) => standing.get({ scope, own }) ?? [])
        .sort((a, b) => b.seq - a.seq)
        .map(toDirective)
        .find(({ state }) => state === 'current')
    },
  }
}
