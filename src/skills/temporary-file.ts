import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { contentHash } from './content-hash.ts'
import { type Disk, errno } from './disk.ts'
import type { Folder } from './folder.ts'
import type { Snapshot } from './snapshot.ts'

const pattern = /^\.undermind-[0-9a-f]{32}\.tmp$/

/** The name under which new content waits in a file's own folder until it takes the file's name. */
export const temporaryName = (path: string, hash: string): string =>
  `.undermind-${contentHash(`${path}\0${hash}`).slice(0, 32)}.tmp`

/** Takes away what a process left that died while writing in this folder. */
export const removeLeftovers = async (folder: Folder, disk: Disk): Promise<void> => {
  const names = await disk.readdir(folder.at('.'))
  for (const name of names.filter((each) => pattern.test(each))) {
    await disk.unlink(folder.at(name)).catch(() => undefined)
  }
}

/** Writes a new file down to the disk, with the mode and, where permitted, the owner of `like`. */
export const writeTemporary = async (
  folder: Folder,
  name: string,
  content: Uint8Array,
  like: Snapshot | null,
  disk: Disk,
): Promise<void> => {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const handle = await disk.open(folder.at(name), flags, like === null ? 0o644 : 0o600)
  try {
    // Not a byte of content goes to a folder that is no longer the checked one.
    await folder.verify()
    await handle.writeFile(content)
    if (like !== null) await keepOwnerAndMode(handle, like)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const keepOwnerAndMode = async (handle: FileHandle, { stat }: Snapshot): Promise<void> => {
  const made = await handle.stat({ bigint: true })
  if (made.uid !== stat.uid || made.gid !== stat.gid) {
    // Only the superuser may give a file away; for anyone else the new file is their own.
    await handle.chown(Number(stat.uid), Number(stat.gid)).catch((error: unknown) => {
      if (errno(error) !== 'EPERM') throw error
    })
  }
  await handle.chmod(Number(stat.mode) & 0o777)
}
