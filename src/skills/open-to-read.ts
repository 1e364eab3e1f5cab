import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { type Disk, errno, orAbsent } from './disk.ts'
import type { Folder } from './folder.ts'
import { pathRefused } from './path-names.ts'

/** Opens what has this name in an open folder, following no link; null when nothing has. The caller closes it. */
export const openToRead = async (
  folder: Folder,
  name: string,
  path: string,
  disk: Disk,
): Promise<FileHandle | null> => {
  try {
    // Without O_NONBLOCK a pipe put in the file's place would hold the call for ever.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
    return await orAbsent(disk.open(folder.at(name), flags))
  } catch (error) {
    if (errno(error) === 'ELOOP') throw pathRefused(path, 'it is a symbolic link')
    throw error
  }
}

/** A file may grow while it is read, without end; this stops at `limit`. `first` is how much is asked for at first. */
export const readUpTo = async (handle: FileHandle, limit: number, first = 64 * 1024): Promise<Uint8Array> => {
  const parts: Uint8Array[] = []
  let length = 0
  while (length < limit) {
    const part = Buffer.alloc(Math.min(length === 0 ? first : 64 * 1024, 64 * 1024, limit - length))
    const { bytesRead } = await handle.read(part, 0, part.length, length)
    if (bytesRead === 0) break
    parts.push(part.subarray(0, bytesRead))
    length += bytesRead
  }
  return Buffer.concat(parts)
}
