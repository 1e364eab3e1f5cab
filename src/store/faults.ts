import Database from 'better-sqlite3'
import { Fault } from '../domain/errors.ts'

const sentences: Record<string, [code: `store/${string}`, sentence: (file: string) => string]> = {
  SQLITE_FULL: [
    'store/disk-full',
    (file) => `The disk is full: cannot write ${file}. Free some space; nothing was lost.`,
  ],
  SQLITE_IOERR: [
    'store/disk-failing',
    (file) => `The disk failed while ${file} was in use. Check the disk; what was saved is kept.`,
  ],
  SQLITE_READONLY: [
    'store/read-only',
    (file) => `Cannot write ${file}: it or its folder is read-only. Make it writable.`,
  ],
  SQLITE_CANTOPEN: ['store/read-only', (file) => `Cannot open ${file}: check that its folder exists and is writable.`],
  SQLITE_PERM: ['store/read-only', (file) => `Cannot write ${file}: permission denied. Make it writable.`],
  SQLITE_BUSY: [
    'store/locked',
    (file) => `${file} is in use by another program. Wait until it has finished, then try again.`,
  ],
  SQLITE_LOCKED: [
    'store/locked',
    (file) => `${file} is in use by another program. Wait until it has finished, then try again.`,
  ],
  SQLITE_CORRUPT: [
    'store/corrupt',
    (file) => `${file} is damaged. Move it away and start again, or restore a copy of it.`,
  ],
  SQLITE_NOTADB: ['store/corrupt', (file) => `${file} is not an undermind store. Move it away and start again.`],
}

/** What the system says of a file or a folder, in SQLite's terms. */
const ofSystem: Record<string, string> = {
  EACCES: 'SQLITE_READONLY',
  EPERM: 'SQLITE_READONLY',
  EROFS: 'SQLITE_READONLY',
  ENOSPC: 'SQLITE_FULL',
  EDQUOT: 'SQLITE_FULL',
  EIO: 'SQLITE_IOERR',
  ENOTDIR: 'SQLITE_CANTOPEN',
  EEXIST: 'SQLITE_CANTOPEN',
}

/** Says what a database error means for the user; other errors are returned as they are. */
export function faultOf(error: unknown, file = 'the store'): unknown {
  if (error instanceof Database.SqliteError) {
    const known = Object.entries(sentences).find(([prefix]) => error.code.startsWith(prefix))
    if (known) return new Fault(known[1][0], known[1][1](file), { file, sqlite: error.code })
  }
  if (error instanceof Error && 'code' in error) {
    const known = sentences[ofSystem[String(error.code)] ?? '']
    if (known) return new Fault(known[0], known[1](file), { file, errno: error.code })
  }
  return error
}

/** True when the store, not the message in hand, is at fault: the same work may succeed later. */
export const isStoreFault = (error: unknown): boolean =>
  error instanceof Fault &&
  ['store/disk-full', 'store/disk-failing', 'store/read-only', 'store/locked'].includes(error.code)

/** True when this process can never write to the store again. */
export const isLost = (error: unknown): boolean =>
  error instanceof Fault && (error.code === 'store/corrupt' || error.code === 'store/taken-over')
