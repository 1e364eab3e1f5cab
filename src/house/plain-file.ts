import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { dirname, sep } from 'node:path'

/** What reading a file came to; `why` it was refused completes a sentence that begins with its name. */
export type PlainFile = { kind: 'read'; bytes: Buffer } | { kind: 'absent' } | { kind: 'refused'; why: string }

// Windows has neither flag.
const safely = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * Reads a file that may have come with a stranger's folder: it follows no link out of the folder, does not wait for the
 * other end of a pipe, and reads no device and nothing larger than `most` bytes. Other errors are the system's.
 */
export async function readPlainFile(path: string, most: number): Promise<PlainFile> {
  let file: FileHandle
  try {
    const real = await realpath(path)
    if (!real.startsWith(await folderOf(path)))
      return { kind: 'refused', why: 'is a link that leads out of its folder' }
    file = await open(real, safely)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { kind: 'absent' }
    throw error
  }
  try {
    const found = await file.stat()
    if (!found.isFile()) return { kind: 'refused', why: 'is no file' }
    if (found.size > most) return { kind: 'refused', why: `has ${found.size} bytes and may have ${most}` }
    return { kind: 'read', bytes: await file.readFile() }
  } finally {
    await file.close()
  }
}

const folderOf = async (path: string): Promise<string> => (await realpath(dirname(path))).replace(/[\\/]?$/, sep)
