import type { EvaluationId, OutboxKey } from '../domain/ids.ts'
import type { DeadLetter } from '../domain/ledger.ts'
import type { BeforeImage } from '../domain/tool.ts'
import type { Db } from './open.ts'

export interface NotificationRow {
  seq: number
  kind: string
  title: string
  body: string
  at: number
}

export interface ImageRow extends Omit<BeforeImage, 'before'> {
  key: OutboxKey
  before: Uint8Array | null
  at: number
  undoneAt: number | null
}

const imageColumns = 'key, path, before, before_hash AS beforeHash, after_hash AS afterHash, at, undone_at AS undoneAt'

/** What was there before an effect, what the user was told, and messages that nobody could take. */
export function recordStore(db: Db) {
  const putValue = db.prepare('INSERT INTO kept VALUES(?, ?) ON CONFLICT DO UPDATE SET value = excluded.value')
  const getValue = db.prepare<[string], string>('SELECT value FROM kept WHERE name = ?').pluck()
  const keep = db.prepare(
    `INSERT INTO before_image(key, evaluation, path, before, before_hash, after_hash, at) VALUES(?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET before = excluded.before, before_hash = excluded.before_hash, after_hash = excluded.after_hash, at = excluded.at`,
  )
  const kept = db.prepare<[string], ImageRow>(`SELECT ${imageColumns} FROM before_image WHERE key = ?`)
  const images = db.prepare<[string], ImageRow>(
    `SELECT ${imageColumns} FROM before_image WHERE evaluation = ? ORDER BY at DESC, key DESC`,
  )
  const undone = db.prepare('UPDATE before_image SET undone_at = ? WHERE key = ?')
  const notify = db.prepare('INSERT OR IGNORE INTO notification(key, kind, title, body, at) VALUES(?, ?, ?, ?, ?)')
  const notifications = db.prepare<[number], NotificationRow>(
    'SELECT seq, kind, title, body, at FROM notification ORDER BY seq DESC LIMIT ?',
  )
  const lastNotification = db.prepare<[string], NotificationRow>(
    'SELECT seq, kind, title, body, at FROM notification WHERE kind = ? ORDER BY seq DESC LIMIT 1',
  )
  const deadLetters = db.prepare<[number], DeadLetter>(
    'SELECT seq, actor, event, reason, at FROM dead_letter ORDER BY seq DESC LIMIT ?',
  )
  const deadCount = db.prepare<[], number>('SELECT count(*) FROM dead_letter').pluck()

  return {
    /** A small value under a name, for what is worth remembering across restarts; JSON. */
    keep(name: string, value: unknown): void {
      putValue.run(name, JSON.stringify(value))
    },
    kept(name: string): unknown {
      const value = getValue.get(name)
      return value === undefined ? undefined : JSON.parse(value)
    },
    keepImage(key: OutboxKey, evaluation: EvaluationId, image: BeforeImage, at: number): void {
      keep.run(key, evaluation, image.path, image.before, image.beforeHash, image.afterHash, at)
    },
    image: (key: OutboxKey): BeforeImage | undefined => kept.get(key),
    /** Newest first; those not undone yet. */
    images: (evaluation: EvaluationId): ImageRow[] =>
      images.all(evaluation).filter(({ undoneAt }) => undoneAt === null),
    wereUndone(keys: readonly OutboxKey[], at: number): void {
      for (const key of keys) undone.run(at, key)
    },
    /** Tells the user once per key; false when it had been told. */
    notify: (row: Omit<NotificationRow, 'seq'> & { key: string }): boolean =>
      notify.run(row.key, row.kind, row.title, row.body, row.at).changes === 1,
    notifications: (limit: number): NotificationRow[] => notifications.all(limit),
    lastNotification: (kind: string): NotificationRow | undefined => lastNotification.get(kind),
    deadLetters: (limit: number): DeadLetter[] => deadLetters.all(limit),
    deadLetterCount: (): number => deadCount.get() ?? 0,
  }
}
