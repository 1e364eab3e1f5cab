import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, linkSync, lstatSync, openSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { Fault } from '../domain/errors.ts'
import { faultOf } from './faults.ts'
import { migrations } from './migrations/index.ts'
import { namespaceKeys } from './namespaced-keys.ts'

export type Db = Database.Database

export interface StoreOptions {
  /** Path of the database file, or ':memory:'. */
  file: string
  /** `full` survives power loss, `normal` survives the killing of the process. */
  synchronous: 'full' | 'normal'
  /** For readers beside a running writer. Fails when there is no store. */
  readOnly?: boolean
  /** Looks for damage before anything is trusted; asked for after an unclean stop. */
  check?: boolean
}

/**
 * Opens the store and brings it to this build's version, keeping a copy of the older one beside it (`state.db.v<n>.bak`).
 * Throws `store/too-new`, `store/corrupt`, `store/locked`, `store/read-only`, `store/disk-full`, `store/missing`.
 */
export function openStore(options: StoreOptions, steps: readonly string[] = migrations): Db {
  const { file, readOnly = false } = options
  const inMemory = file === ':memory:'
  if (readOnly && !inMemory && !existsSync(file)) {
    throw new Fault('store/missing', `Cannot open the store: there is none at ${file}. Run undermind init first.`, {
      file,
    })
  }
  if (!inMemory && !existsSync(dirname(file))) {
    throw new Fault('store/missing', `Cannot open the store: the folder of ${file} is gone.`, { file })
  }
  let db: Db | undefined
  try {
    if (!inMemory) refuseOther(file)
    // Made before SQLite makes it, which would let others read it; the log beside it takes the same mode.
    if (!inMemory && !readOnly && !existsSync(file)) closeSync(openSync(file, 'a', 0o600))
    db = new Database(file, { readonly: readOnly, timeout: 5000 })
    const at = versionWithin(db, file, steps.length)
    if (!readOnly) {
      db.pragma('journal_mode = WAL')
      db.pragma(`synchronous = ${options.synchronous}`)
      db.pragma('foreign_keys = ON')
      db.pragma('temp_store = MEMORY')
      db.pragma(`journal_size_limit = ${largestLog}`)
    }
    if (options.check) assertSound(db, file, 'quick_check')
    if (!readOnly) {
      if (at < steps.length) migrate(db, file, at, steps)
      namespaceKeys(db)
    }
    return db
  } catch (error) {
    db?.close()
    throw faultOf(error, file)
  }
}

/** Bytes that the write-ahead log keeps once it has been moved into the database. */
const largestLog = 4 * 1024 * 1024

/** Looks at the whole store; throws `store/corrupt` with what was found. */
export function assertSound(db: Db, file: string, how: 'quick_check' | 'integrity_check'): void {
  const found: unknown = db.pragma(how, { simple: true })
  if (found !== 'ok') {
    throw new Fault(
      'store/corrupt',
      `The store ${file} is damaged: ${firstFinding(found)}. Move it away and start again, or restore a copy of it.`,
      { file, found },
    )
  }
}

/** What SQLite found comes below a heading that says in which database. */
const firstFinding = (found: unknown): string =>
  String(found)
    .split('\n')
    .find((line) => !line.startsWith('***')) ?? 'it does not say how'

/** A link could lead the store out of the workspace, and opening a pipe would wait for ever. */
function refuseOther(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) throw notAStore(file)
}

/**
 * The version that a store is at. A store has its tables, and a new one has none; what else is a database is somebody's,
 * and left alone. Looked at in one piece: another process may be migrating it.
 */
const versionWithin = (db: Db, file: string, known: number): number =>
  db.transaction(() => {
    const at = versionOf(db)
    if (at > known) {
      throw new Fault(
        'store/too-new',
        `Cannot open the store: it is at version ${at}, this build knows ${known}. Install a newer undermind.`,
        { at, known },
      )
    }
    const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()
    const isOurs = at > 0 ? tables.includes('actor') : at === 0 && tables.length === 0
    if (!isOurs) throw notAStore(file)
    return at
  })()

const notAStore = (file: string): Fault =>
  new Fault('store/corrupt', `${file} is not an undermind store. Move it away and start again.`, { file })

const versionOf = (db: Db): number => Number(db.pragma('user_version', { simple: true }))

function migrate(db: Db, file: string, from: number, steps: readonly string[]): void {
  if (from > 0 && file !== ':memory:') backUp(db, `${file}.v${from}.bak`)
  for (let version = from; version < steps.length; version++) {
    db.transaction(() => {
      // Another process may have migrated between our look and our lock.
      if (versionOf(db) > version) return
      db.exec(steps[version]!)
      db.pragma(`user_version = ${version + 1}`)
    }).immediate()
  }
}

/**
 * The copy takes its name once it is whole and on the disk: a half one must never pass for what there was before. Of
 * several processes the first keeps its copy, which it has made before it migrates; that of a later one may be newer.
 */
function backUp(db: Db, copy: string): void {
  if (!existsSync(copy)) {
    try {
      makeCopy(db, copy, `${copy}.${randomUUID()}.tmp`)
    } catch (error) {
      if (!existsSync(copy)) throw error
    }
  }
  for (const name of readdirSync(dirname(copy))) {
    if (name.startsWith(`${basename(copy)}.`)) rmSync(join(dirname(copy), name), { force: true })
  }
}

function makeCopy(db: Db, copy: string, making: string): void {
  const written = openSync(making, 'wx', 0o600)
  try {
    db.prepare('VACUUM INTO ?').run(making)
    fsyncSync(written)
    linkSync(making, copy)
  } finally {
    closeSync(written)
    rmSync(making, { force: true })
  }
}
