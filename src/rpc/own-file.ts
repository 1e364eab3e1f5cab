import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'

/** Only its owner may read or write it. */
const ownerOnly = 0o600
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants

/**
 * What stands in a small file, if it is one that only this user can have written: no link, no second name, of this
 * user's, closed to everybody else. Null for whatever else is there, or when nothing is.
 */
export function readOwn(path: string, most: number): string | null {
  let file: number
  try {
    // A pipe in its place would make a plain open wait for ever.
    file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch {
    return null
  }
  try {
    const found = fstatSync(file)
    if (!found.isFile() || found.size > most || !isClosed(found)) return null
    const bytes = Buffer.alloc(most)
    return bytes.subarray(0, readSync(file, bytes, 0, most, 0)).toString('utf8')
  } catch {
    return null
  } finally {
    closeSync(file)
  }
}

/** Windows has neither these owners nor these modes; there the folder's own rights hold. */
function isClosed({ uid, mode, nlink }: { uid: number; mode: number; nlink: number }): boolean {
  if (process.getuid === undefined) return true
  return uid === process.getuid() && (mode & 0o777) === ownerOnly && nlink === 1
}

/**
 * Puts a file there whole, readable by its owner only. Whatever stood there is replaced, not written to: a link is taken
 * away and what it led to is left alone. Throws what the system throws.
 */
export function replaceOwn(path: string, text: string): void {
  const draft = `${path}.${randomBytes(8).toString('hex')}.tmp`
  const file = openSync(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, ownerOnly)
  try {
    try {
      // The mask of the process may have taken something from the mode.
      fchmodSync(file, ownerOnly)
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
