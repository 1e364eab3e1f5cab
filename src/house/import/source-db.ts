import { constants, createReadStream, createWriteStream } from 'node:fs'
import { lstat, mkdtemp, open, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import Database from 'better-sqlite3'

/** A database of another program, or why it cannot be read; that completes a sentence that begins with its name. */
export type OpenedSource = { kind: 'open'; db: SourceDb } | { kind: 'absent' } | { kind: 'refused'; why: string }

export interface SourceDb extends Disposable {
  /** Names of its tables. */
  readonly tables: readonly string[]
  columns(table: string): string[]
  count(table: string): number
  /** Rows of a table with their columns renamed, one at a time. */
  rows(
    table: string,
    columns: Readonly<Record<string, string>>,
    order: readonly string[],
  ): Iterable<Record<string, unknown>>
}

const largest = 1024 * 1024 * 1024
const largestText = '1 GiB'
// Windows has neither flag.
const safely = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
/** What SQLite keeps beside a database and needs to read it as it stands. */
const beside = ['-wal', '-journal']

/**
 * Opens a database that stands in a folder of somebody else's. It is copied first: so nothing is written beside it, a
 * program that goes on writing is not disturbed, and no link is followed out of the folder.
 */
export async function openSourceDb(folder: string, path: readonly string[]): Promise<OpenedSource> {
  const copies = await mkdtemp(join(tmpdir(), 'undermind-import-'))
  const forget = () => rm(copies, { recursive: true, force: true })
  const copy = join(copies, 'copy.db')
  try {
    const file = await plainPath(folder, path)
    if (file.kind !== 'plain') {
      await forget()
      return file
    }
    for (const end of ['', ...beside]) await copyPlain(`${file.path}${end}`, `${copy}${end}`, end === '')
    const db = read(copy)
    const close = () => {
      db[Symbol.dispose]()
      void forget()
    }
    return { kind: 'open', db: { ...db, [Symbol.dispose]: close } }
  } catch (error) {
    await forget()
    return { kind: 'refused', why: whyNot(error) }
  }
}

class NotPlain extends Error {}

async function plainPath(folder: string, path: readonly string[]) {
  const given = join(folder, ...path)
  if ((await lstat(given).catch(() => null)) === null) return { kind: 'absent' as const }
  const real = await realpath(given)
  if (!real.startsWith(folder.replace(/[\\/]?$/, sep))) {
    return { kind: 'refused' as const, why: 'is a link that leads out of its folder' }
  }
  return { kind: 'plain' as const, path: real }
}

async function copyPlain(from: string, to: string, isNeeded: boolean): Promise<void> {
  const there = await lstat(from).catch(() => null)
  if (there === null && !isNeeded) return
  const file = await open(from, safely)
  try {
    const found = await file.stat()
    if (!found.isFile()) throw new NotPlain(isNeeded ? 'is no file' : 'has something beside it that is no file')
    if (found.size > largest) throw new NotPlain(`has more than ${largestText}`)
    await pipeline(
      createReadStream('', { fd: file, autoClose: false, start: 0 }),
      createWriteStream(to, { flags: 'wx', mode: 0o600 }),
    )
  } finally {
    await file.close()
  }
}

function read(copy: string): SourceDb {
  const db = new Database(copy)
  try {
    // The copy is ours, so that SQLite may take in the log beside it; from here on it is read and nothing else.
    db.pragma('query_only = ON')
    db.pragma('trusted_schema = OFF')
    db.pragma('cell_size_check = ON')
    if (db.pragma('integrity_check(1)', { simple: true }) !== 'ok') throw new NotPlain(damaged)
    const tables = db
      .prepare<[], string>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name NOT LIKE 'sqlite%'",
      )
      .pluck()
      .all()
    return {
      tables,
      columns: (table) => (db.pragma(`table_info(${quoted(table)})`) as { name: string }[]).map(({ name }) => name),
      count: (table) =>
        db
          .prepare<[], number>(`SELECT count(*) FROM ${quoted(table)}`)
          .pluck()
          .get() ?? 0,
      rows(table, columns, order) {
        const selected = Object.entries(columns).map(
          ([name, column]) => `${bounded(quoted(column))} AS ${quoted(name)}`,
        )
        const by = order.length > 0 ? ` ORDER BY ${order.map(quoted).join(', ')}` : ''
        return db
          .prepare<[], Record<string, unknown>>(`SELECT ${selected.join(', ')} FROM ${quoted(table)}${by}`)
          .iterate()
      },
      [Symbol.dispose]: () => void db.close(),
    }
  } catch (error) {
    db.close()
    throw error
  }
}

/** What is longer than any value may be here is not read whole: one alone could fill the memory. */
const bounded = (column: string): string =>
  `iif(octet_length(${column}) > ${longestValue}, substr(${column}, 1, ${longestValue}), ${column})`
const longestValue = 1024 * 1024

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const damaged = 'is damaged, or was written to while it was read; close the program that uses it and try again'

function whyNot(error: unknown): string {
  if (error instanceof NotPlain) return error.message
  if (error instanceof Database.SqliteError) return error.code === 'SQLITE_NOTADB' ? 'is no SQLite database' : damaged
  if (error instanceof Error && 'code' in error) {
    if (error.code === 'ELOOP') return 'has a link beside it where its log should be'
    return `cannot be read (${String(error.code)})`
  }
  throw error
}
