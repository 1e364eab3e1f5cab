import type { CallId, TickId, WorldId } from '../domain/ids.ts'
import type { ModelCall } from '../domain/model.ts'
import type { CountedCall } from '../domain/usage.ts'
import type { TickRow, WorldRow } from '../domain/world.ts'
import type { Db } from './open.ts'
import { type UsageStore, usageStore } from './usage.ts'

const tickColumns = `id, world, generation, force, state, reason, model_calls AS modelCalls, evaluations, calls_avoided AS callsAvoided,
  started_at AS startedAt, ended_at AS endedAt`
const worldColumns = `id, kind, title, state, reason, generation, last_tick_at AS lastTickAt, next_tick_at AS nextTickAt,
  total_ticks AS totalTicks, consecutive_failures AS consecutiveFailures, seen_through AS seenThrough`

type Row = Omit<TickRow, 'force'> & { force: number }

const toTick = (row: Row): TickRow => ({ ...row, force: row.force === 1 })

/** Worlds, their ticks, and the model calls those made. */
export function tickStore(db: Db, usage: UsageStore = usageStore(db)) {
  const insert = db.prepare(
    `INSERT INTO tick(id, world, generation, force, state, started_at) VALUES(?, ?, ?, ?, ?, ?)`,
  )
  const move = db.prepare(
    'UPDATE tick SET state = ?, reason = ?, model_calls = ?, evaluations = ?, calls_avoided = ?, ended_at = ? WHERE id = ?',
  )
  const get = db.prepare<[string], Row>(`SELECT ${tickColumns} FROM tick WHERE id = ?`)
  const lastStart = db
    .prepare<[string], number>('SELECT started_at FROM tick WHERE world = ? ORDER BY generation DESC LIMIT 1')
    .pluck()
  const running = db.prepare<[], Row>(`SELECT ${tickColumns} FROM tick WHERE ended_at IS NULL`)
  const putWorld = db.prepare(
    `INSERT INTO world(id, kind, title, state) VALUES(?, ?, ?, 'resting')
     ON CONFLICT DO UPDATE SET kind = excluded.kind, title = excluded.title`,
  )
  const moveWorld = db.prepare(
    `UPDATE world SET state = ?, reason = ?, generation = ?, last_tick_at = ?, next_tick_at = ?, total_ticks = ?, consecutive_failures = ?
     WHERE id = ?`,
  )
  const world = db.prepare<[string], WorldRow>(`SELECT ${worldColumns} FROM world WHERE id = ?`)
  const worlds = db.prepare<[], WorldRow>(`SELECT ${worldColumns} FROM world ORDER BY id`)
  const due = db.prepare<[number], WorldRow>(
    `SELECT ${worldColumns} FROM world WHERE next_tick_at <= ? ORDER BY next_tick_at`,
  )
  const earliest = db.prepare<[], number>('SELECT min(next_tick_at) FROM world WHERE next_tick_at IS NOT NULL').pluck()
  const bring = db.prepare(
    'UPDATE world SET next_tick_at = min(next_tick_at, ?) WHERE id = ? AND next_tick_at IS NOT NULL',
  )
  const next = db.prepare('UPDATE world SET next_tick_at = ? WHERE id = ?')
  const seen = db.prepare('UPDATE world SET seen_through = max(seen_through, ?) WHERE id = ?')

  return {
    insert(row: Pick<TickRow, 'id' | 'world' | 'generation' | 'force' | 'state' | 'startedAt'>): void {
      insert.run(row.id, row.world, row.generation, Number(row.force), row.state, row.startedAt)
    },
    move(row: Omit<TickRow, 'world' | 'generation' | 'force' | 'startedAt'>): void {
      move.run(row.state, row.reason, row.modelCalls, row.evaluations, row.callsAvoided, row.endedAt, row.id)
    },
    get(id: TickId): TickRow | undefined {
      const row = get.get(id)
      return row && toTick(row)
    },
    /** When a world's last tick began; null when none is kept. */
    lastStartedAt: (world: WorldId): number | null => lastStart.get(world) ?? null,
    running: (): TickRow[] => running.all().map(toTick),

    registerWorld(row: { id: WorldId; kind: string; title: string }): void {
      putWorld.run(row.id, row.kind, row.title)
    },
    moveWorld(row: Omit<WorldRow, 'kind' | 'title' | 'seenThrough'>): void {
      const { state, reason, generation, lastTickAt, nextTickAt, totalTicks, consecutiveFailures, id } = row
      moveWorld.run(state, reason, generation, lastTickAt, nextTickAt, totalTicks, consecutiveFailures, id)
    },
    world: (id: WorldId): WorldRow | undefined => world.get(id),
    worlds: (): WorldRow[] => worlds.all(),
    /** Worlds whose time has come; costs what is due, not what is registered. */
    dueWorlds: (now: number): WorldRow[] => due.all(now),
    nextTickAt: (): number | null => earliest.get() ?? null,
    setNextTick(id: WorldId, at: number | null): void {
      next.run(at, id)
    },
    /** Makes a world that ticks by itself tick no later than `at`. */
    bringForward(id: WorldId, at: number): void {
      bring.run(at, id)
    },
    seenThrough(id: WorldId, seq: number): void {
      seen.run(seq, id)
    },

    /** Keeps a call and counts it, with the transaction that its answer belongs to. */
    recordCall(call: CountedCall): void {
      usage.record(call)
    },
    call: (id: CallId): ModelCall | undefined => usage.call(id),
  }
}
