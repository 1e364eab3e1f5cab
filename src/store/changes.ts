import type { Baseline, Change, Item, ItemMark } from '../domain/change.ts'
import type { SourceId } from '../domain/ids.ts'
import type { Db } from './open.ts'

const columns = `seq, source, key, kind, item_kind AS itemKind, title, author, time, link, external, at, lines, omitted`

type Row = Omit<Change, 'external' | 'added' | 'removed'> & { external: number; lines: string }

const toChange = ({ lines, external, ...row }: Row): Change => ({
  ...row,
  external: external === 1,
  ...(JSON.parse(lines) as Pick<Change, 'added' | 'removed'>),
})

export interface NewChange extends Omit<Change, 'seq'> {
  beforeHash: string | null
  afterHash: string | null
}

export interface SourceRow {
  id: SourceId
  kind: string
  title: string
  health: 'unread' | 'ok' | 'failing'
  readAt: number | null
  failure: string | null
}

/** What each source held last, and the sequence of everything that was found to differ from it. */
export function changeStore(db: Db) {
  const mark = db.prepare<[string, string], ItemMark>('SELECT stamp, hash FROM item WHERE source = ? AND key = ?')
  const keys = db
    .prepare<[string, string], string>('SELECT key FROM item WHERE source = ? AND key > ? ORDER BY key LIMIT 500')
    .pluck()
  const item = db.prepare<
    [string, string],
    Omit<Item, 'mark' | 'external'> & { external: number; stamp: string; hash: string }
  >('SELECT key, kind, title, author, time, body, link, external, stamp, hash FROM item WHERE source = ? AND key = ?')
  const putItem = db.prepare(
    `INSERT INTO item VALUES(@source, @key, @kind, @title, @author, @time, @body, @link, @external, @stamp, @hash)
     ON CONFLICT(source, key) DO UPDATE SET kind = excluded.kind, title = excluded.title, author = excluded.author, time = excluded.time,
       body = excluded.body, link = excluded.link, external = excluded.external, stamp = excluded.stamp, hash = excluded.hash`,
  )
  const touch = db.prepare('UPDATE item SET stamp = ?, hash = ? WHERE source = ? AND key = ?')
  const drop = db.prepare('DELETE FROM item WHERE source = ? AND key = ?')
  const insert = db.prepare(
    `INSERT INTO change(source, key, kind, item_kind, title, author, time, link, external, at, before_hash, after_hash, lines, omitted)
     VALUES(@source, @key, @kind, @itemKind, @title, @author, @time, @link, @external, @at, @beforeHash, @afterHash, @lines, @omitted)`,
  )
  const after = db.prepare<[number, number, number], Row>(
    `SELECT ${columns} FROM change WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
  )
  const keysAfter = db.prepare<[number, number, number], Pick<Change, 'seq' | 'source' | 'key'> & { external: number }>(
    'SELECT seq, source, key, external FROM change WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?',
  )
  const head = db.prepare<[], number>('SELECT max(seq) FROM change').pluck()
  const prune = db.prepare(
    'DELETE FROM change WHERE seq IN (SELECT seq FROM change WHERE seq <= ? AND at < ? ORDER BY seq LIMIT ?)',
  )
  const sequence = db.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'change'").pluck()
  const putSource = db.prepare(
    `INSERT INTO source VALUES(@id, @kind, @title, @health, @readAt, @failure)
     ON CONFLICT DO UPDATE SET kind = excluded.kind, title = excluded.title, health = excluded.health,
       read_at = coalesce(excluded.read_at, read_at), failure = excluded.failure`,
  )
  const sources = db.prepare<[], SourceRow>(
    'SELECT id, kind, title, health, read_at AS readAt, failure FROM source ORDER BY id',
  )

  return {
    /** What a source held when it was last read. */
    baseline: (source: SourceId): Baseline => ({
      get: (key) => mark.get(source, key),
      *keys() {
        // A page at a time: the caller pauses in between, and a cursor left open would block other statements.
        for (let page = keys.all(source, ''); page.length > 0; page = keys.all(source, page.at(-1)!)) yield* page
      },
    }),
    item(source: SourceId, key: string): Item | undefined {
      const row = item.get(source, key)
      if (!row) return undefined
      const { stamp, hash, external, ...rest } = row
      return { ...rest, external: external === 1, mark: { stamp, hash } }
    },
    putItem(source: SourceId, { mark: { stamp, hash }, external, ...rest }: Item): void {
      putItem.run({ source, ...rest, external: Number(external), stamp, hash })
    },
    touchItem(source: SourceId, key: string, { stamp, hash }: ItemMark): void {
      touch.run(stamp, hash, source, key)
    },
    dropItem(source: SourceId, key: string): void {
      drop.run(source, key)
    },
    append({ added, removed, external, ...change }: NewChange): number {
      return Number(
        insert.run({ ...change, external: Number(external), lines: JSON.stringify({ added, removed }) })
          .lastInsertRowid,
      )
    },
    /** Changes after `from` up to `through`, oldest first. */
    between: (from: number, through: number, limit: number): Change[] => after.all(from, through, limit).map(toChange),
    /** The same without their content. */
    keysBetween: (
      from: number,
      through: number,
      limit: number,
    ): { seq: number; source: SourceId; key: string; external: boolean }[] =>
      keysAfter.all(from, through, limit).map((row) => ({ ...row, external: row.external === 1 })),
    /** Sequence number of the last change there ever was. */
    head: (): number => Math.max(head.get() ?? 0, sequence.get() ?? 0),
    /** Drops up to `limit` changes that every task has seen and that are older than `before`; returns how many. */
    prune: (through: number, before: number, limit: number): number => prune.run(through, before, limit).changes,
    putSource(row: SourceRow): void {
      putSource.run(row)
    },
    sources: (): SourceRow[] => sources.all(),
  }
}
