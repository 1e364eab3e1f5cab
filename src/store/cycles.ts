import type { ChatMessage } from '../domain/chat.ts'
import type { CycleId, SessionId } from '../domain/ids.ts'
import type { CoreStep, Cycle, CycleKept, CycleSummary, SessionMemory, Steering, WorldDiff } from '../domain/session.ts'
import type { Db } from './open.ts'

const cycleColumns = `id, session, agent, from_seq AS "from", through_seq AS through, number, ask, way, brief, why, steering,
  answer, reply, tainted, started_at AS startedAt, ended_at AS endedAt`
const summaryColumns = `id AS cycle, session, agent, through_seq AS through, cycle AS number, summary, trace_tokens AS traceTokens,
  tokens, tainted, created_at AS at`
const diffColumns = 'session, seq, cycle, agent, signature, change, delta, created_at AS at'

interface CycleRow extends Omit<Cycle, 'steering' | 'tainted'> {
  steering: string | null
  tainted: number
}
interface StepRow extends Omit<CoreStep, 'message' | 'waits'> {
  message: string
  waits: string | null
}
type SummaryRow = Omit<CycleSummary, 'tainted'> & { tainted: number }

const toCycle = (row: CycleRow): Cycle => ({
  ...row,
  steering: row.steering === null ? null : (JSON.parse(row.steering) as Steering),
  tainted: row.tainted === 1,
})
const toStep = ({ message, waits, ...row }: StepRow): CoreStep => ({
  ...row,
  message: JSON.parse(message) as ChatMessage,
  waits: waits === null ? null : (JSON.parse(waits) as number[]),
})

/** The cycles that answer messages, and what is left of them. A step that is kept again changes nothing. */
export function cycleStore(db: Db) {
  const begin = db.prepare(
    `INSERT INTO session_cycle(id, session, agent, from_seq, through_seq, ask, tainted, started_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET ask = excluded.ask`,
  )
  const get = db.prepare<[string], CycleRow>(`SELECT ${cycleColumns} FROM session_cycle WHERE id = ?`)
  const reply = db.prepare("UPDATE session_cycle SET way = coalesce(way, 'reflex'), reply = ? WHERE id = ?")
  const defer = db.prepare("UPDATE session_cycle SET way = 'core', brief = ?, why = ? WHERE id = ?")
  const brief = db.prepare(
    "UPDATE session_cycle SET way = 'core', brief = ?, steering = ?, number = ? WHERE id = ? AND number IS NULL",
  )
  const counted = db
    .prepare<[string], number>(
      `SELECT o.number FROM session_cycle c JOIN session_cycle o ON o.session = c.session AND o.from_seq = c.from_seq
       WHERE c.id = ? AND o.number IS NOT NULL LIMIT 1`,
    )
    .pluck()
  const raise = db
    .prepare<[string], number>(
      'INSERT INTO peer_cycle VALUES(?, 1) ON CONFLICT DO UPDATE SET cycle = cycle + 1 RETURNING cycle',
    )
    .pluck()
  const count = db.prepare<[string], number>('SELECT cycle FROM peer_cycle WHERE agent = ?').pluck()
  const step = db.prepare('INSERT OR IGNORE INTO core_step VALUES(?, ?, ?, ?, ?, ?)')
  const worked = db.prepare(
    'UPDATE session_cycle SET answer = coalesce(?, answer), tainted = max(tainted, ?) WHERE id = ?',
  )
  const steps = db.prepare<[string], StepRow>(
    'SELECT thread, n, message, waits, at FROM core_step WHERE cycle = ? ORDER BY thread, n',
  )
  const compress = db.prepare(
    `INSERT OR IGNORE INTO compressed_history SELECT id, session, agent, through_seq, number, ?, ?, ?, tainted, ?
     FROM session_cycle WHERE id = ?`,
  )
  const summaries = db.prepare<[string, number], SummaryRow>(
    `SELECT ${summaryColumns} FROM compressed_history WHERE session = ? AND through_seq > ? ORDER BY through_seq`,
  )
  const summary = db.prepare<[string], SummaryRow>(`SELECT ${summaryColumns} FROM compressed_history WHERE id = ?`)
  const diff = db.prepare(
    `INSERT OR IGNORE INTO world_diff
     SELECT c.session, 1 + coalesce((SELECT max(seq) FROM world_diff d WHERE d.session = c.session), 0), c.id, c.agent, ?, ?, ?, ?
     FROM session_cycle c WHERE c.id = ?`,
  )
  const diffOf = db.prepare<[string], WorldDiff>(`SELECT ${diffColumns} FROM world_diff WHERE cycle = ?`)
  const diffs = db.prepare<[string, number], WorldDiff>(
    `SELECT ${diffColumns} FROM world_diff WHERE session = ? AND seq > ? ORDER BY seq`,
  )
  const guarded = db.prepare(
    'UPDATE session SET utilization = ?, evicted = max(evicted, ?), remembered = max(remembered, ?) WHERE id = ?',
  )
  const end = db.prepare('UPDATE session_cycle SET ended_at = ? WHERE id = ? AND ended_at IS NULL')
  const remember = db.prepare('INSERT OR IGNORE INTO session_memory VALUES(?, ?, ?, ?, ?, ?, ?)')
  const memories = db.prepare<[string], SessionMemory>(
    'SELECT id, session, agent, kind, text, at FROM session_memory WHERE session = ? ORDER BY at, id',
  )

  return {
    /** Puts down what a step came to. */
    keep(kept: CycleKept, at: number): void {
      switch (kept.step) {
        case 'normalize': {
          const { id, session, agent, from, through, ask, tainted } = kept.cycle
          begin.run(id, session, agent, from, through, ask, Number(tainted), at)
          return
        }
        case 'reply':
        case 'compile':
          reply.run(kept.reply, kept.cycle)
          return
        case 'defer':
          defer.run(kept.brief, kept.why, kept.cycle)
          return
        case 'brief': {
          const row = get.get(kept.cycle)
          if (!row || row.number !== null) return
          // The same messages taken up again are the same cycle to their peer.
          const number = counted.get(kept.cycle) ?? raise.get(row.agent)!
          brief.run(kept.brief, kept.steering && JSON.stringify(kept.steering), number, kept.cycle)
          return
        }
        case 'execute':
          for (const { thread, n, message, waits } of kept.steps) {
            step.run(kept.cycle, thread, n, JSON.stringify(message), waits && JSON.stringify(waits), at)
          }
          worked.run(kept.answer, Number(kept.tainted), kept.cycle)
          return
        case 'compress':
          compress.run(kept.summary, kept.traceTokens, kept.tokens, at, kept.cycle)
          return
        case 'worldDiff':
          diff.run(kept.signature, kept.change, kept.delta, at, kept.cycle)
          return
        case 'contextGuard':
          guarded.run(kept.utilization, kept.evicted, kept.remembered, kept.session)
          return
        default:
          kept satisfies never
      }
    },
    get(id: CycleId): Cycle | undefined {
      const row = get.get(id)
      return row && toCycle(row)
    },
    /** How many cycles of a peer have reached the core. */
    count: (agent: string): number => count.get(agent) ?? 0,
    end(id: CycleId, at: number): void {
      end.run(at, id)
    },
    steps: (cycle: CycleId): CoreStep[] => steps.all(cycle).map(toStep),
    /** Oldest first, those of cycles that answer later messages than this one. */
    summaries: (session: SessionId, after: number): CycleSummary[] =>
      summaries.all(session, after).map((row) => ({ ...row, tainted: row.tainted === 1 })),
    summary(cycle: CycleId): CycleSummary | undefined {
      const row = summary.get(cycle)
      return row && { ...row, tainted: row.tainted === 1 }
    },
    /** Oldest first, after an entry. */
    diffs: (session: SessionId, after: number): WorldDiff[] => diffs.all(session, after),
    diff: (cycle: CycleId): WorldDiff | undefined => diffOf.get(cycle),
    /** Keeps what leaves the prompts; what is there already stays as it is. */
    remember({ id, session, agent, kind, text, at }: SessionMemory, now: number): void {
      remember.run(id, session, agent, kind, text, at, now)
    },
    memories: (session: SessionId): SessionMemory[] => memories.all(session),
  }
}
