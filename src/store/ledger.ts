import type { Fault } from '../domain/errors.ts'
import type { ActorId } from '../domain/ids.ts'
import type { ActorRow, JournalRow, Ledger, OutboxRow, TimerRow } from '../domain/ledger.ts'
import { faultOf, isLost, isStoreFault } from './faults.ts'
import type { Lease } from './lease.ts'
import type { Db } from './open.ts'

const actorColumns =
  'id, kind, parent, chart, version, status, state, snapshot, created_at AS createdAt, updated_at AS updatedAt'
const journalColumns = 'seq, actor, version, sender, event, from_state AS fromState, to_state AS toState, at'
const workColumns =
  'key, actor, invoke, kind, input, state, attempts, result, created_at AS createdAt, settled_at AS settledAt'
const timerColumns = 'actor, name, due_at AS dueAt, event'

/** The actor host's tables in SQLite. */
export function sqliteLedger(db: Db, lease?: Lease, committed: () => void = () => {}): Ledger {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const savepoint = db.prepare('SAVEPOINT write')
  const release = db.prepare('RELEASE write')
  const q = {
    actor: db.prepare<[string], ActorRow>(`SELECT ${actorColumns} FROM actor WHERE id = ?`),
    insertActor: db.prepare('INSERT INTO actor VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    updateActor: db.prepare(
      'UPDATE actor SET chart = ?, version = ?, status = ?, state = ?, snapshot = ?, updated_at = ? WHERE id = ? AND version = ?',
    ),
    appendJournal: db.prepare(
      'INSERT INTO journal(actor, version, sender, event, from_state, to_state, at) VALUES(?, ?, ?, ?, ?, ?, ?)',
    ),
    journal: db.prepare<[string], JournalRow>(`SELECT ${journalColumns} FROM journal WHERE actor = ? ORDER BY version`),
    see: db.prepare('INSERT OR IGNORE INTO message_seen VALUES(?, ?)'),
    work: db.prepare<[string], OutboxRow>(`SELECT ${workColumns} FROM outbox WHERE key = ?`),
    orderWork: db.prepare(
      'INSERT OR IGNORE INTO outbox(key, actor, invoke, kind, input, state, created_at) VALUES(?, ?, ?, ?, ?, ?, ?)',
    ),
    startWork: db.prepare(
      "UPDATE outbox SET state = 'started', attempts = attempts + 1 WHERE key = ? AND state IN ('pending', 'started')",
    ),
    settleWork: db.prepare(
      "UPDATE outbox SET state = ?, result = ?, settled_at = ? WHERE key = ? AND state IN ('pending', 'started')",
    ),
    lateResult: db.prepare("UPDATE outbox SET result = ? WHERE key = ? AND state = 'cancelled'"),
    cancelWork: db.prepare(
      "UPDATE outbox SET state = 'cancelled', settled_at = ? WHERE key = ? AND state IN ('pending', 'started')",
    ),
    openWork: db.prepare<[number, number, string, number], OutboxRow>(
      `SELECT ${workColumns} FROM outbox WHERE state IN ('pending', 'started')
       AND (created_at > ? OR (created_at = ? AND key > ?)) ORDER BY created_at, key LIMIT ?`,
    ),
    setTimer: db.prepare(
      'INSERT INTO timer VALUES(?, ?, ?, ?) ON CONFLICT DO UPDATE SET due_at = excluded.due_at, event = excluded.event',
    ),
    clearTimer: db.prepare('DELETE FROM timer WHERE actor = ? AND name = ?'),
    clearTimers: db.prepare('DELETE FROM timer WHERE actor = ?'),
    takeTimer: db.prepare('DELETE FROM timer WHERE actor = ? AND name = ? AND due_at = ?'),
    dueTimers: db.prepare<[number, number], TimerRow>(
      `SELECT ${timerColumns} FROM timer WHERE due_at <= ? ORDER BY due_at, actor, name LIMIT ?`,
    ),
    nextTimerAt: db.prepare<[], number>('SELECT min(due_at) FROM timer').pluck(),
    bury: db.prepare('INSERT INTO dead_letter(actor, event, reason, at) VALUES(?, ?, ?, ?)'),
  }
  const told = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw faultOf(error, db.name)
    }
  }
  return {
    begin: () =>
      told(() => {
        begin.run()
        lease?.assertHeld()
      }),
    commit: () =>
      told(() => {
        commit.run()
        committed()
      }),
    rollback() {
      if (db.inTransaction) db.exec('ROLLBACK')
    },
    savepoint: () => void savepoint.run(),
    release: () => void release.run(),
    rollbackToSavepoint: () => void db.exec('ROLLBACK TO write; RELEASE write'),
    isTransient: (error) => isStoreFault(faultOf(error)),
    isFatal: (error) => isLost(faultOf(error)),

    actor: (id) => q.actor.get(id),
    insertActor(row) {
      q.insertActor.run(
        row.id,
        row.kind,
        row.parent,
        row.chart,
        row.version,
        row.status,
        row.state,
        row.snapshot,
        row.createdAt,
        row.updatedAt,
      )
    },
    updateActor: (row, wasVersion) =>
      q.updateActor.run(row.chart, row.version, row.status, row.state, row.snapshot, row.updatedAt, row.id, wasVersion)
        .changes === 1,
    appendJournal(row) {
      q.appendJournal.run(row.actor, row.version, row.sender, row.event, row.fromState, row.toState, row.at)
    },
    journal: (actor) => q.journal.all(actor),

    firstSight: (message, at) => q.see.run(message, at).changes === 1,

    work: (key) => q.work.get(key),
    orderWork: (row) =>
      q.orderWork.run(row.key, row.actor, row.invoke, row.kind, row.input, row.state, row.createdAt).changes === 1,
    startWork: (key) => q.startWork.run(key).changes === 1,
    settleWork: (key, state, result, at) => q.settleWork.run(state, result, at, key).changes === 1,
    recordLateResult(key, result) {
      q.lateResult.run(result, key)
    },
    cancelWork: (key, at) => q.cancelWork.run(at, key).changes === 1,
    openWork: (limit, after) => q.openWork.all(after?.createdAt ?? -1, after?.createdAt ?? -1, after?.key ?? '', limit),

    setTimer(row) {
      q.setTimer.run(row.actor, row.name, row.dueAt, row.event)
    },
    clearTimer(actor, name) {
      q.clearTimer.run(actor, name)
    },
    clearTimers(actor: ActorId) {
      q.clearTimers.run(actor)
    },
    takeTimer: (actor, name, dueAt) => q.takeTimer.run(actor, name, dueAt).changes === 1,
    dueTimers: (now, limit) => q.dueTimers.all(now, limit),
    nextTimerAt: () => q.nextTimerAt.get() ?? null,

    bury(letter) {
      q.bury.run(letter.actor, letter.event, letter.reason, letter.at)
    },
  }
}

/** The same rows for one who may only look: every transaction is refused for the reason given. */
export const viewLedger = (db: Db, reason: Fault): Ledger => {
  const ledger = sqliteLedger(db)
  return {
    ...ledger,
    begin() {
      throw reason
    },
    isFatal: (error) => error === reason || ledger.isFatal(error),
  }
}
