import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConfinedFolder } from './confine.ts'
import { type Disk, errno, orAbsent } from './disk.ts'
import { pathRefused } from './path-names.ts'

/** A folder held open, so that what is done in it is done in the folder that was checked. */
export interface Folder {
  /** Where to find a file of this name in it. */
  at(name: string): string
  /** Fault `tool/path-refused` when the folder's place has meanwhile been taken by another, or it was moved. */
  verify(): Promise<void>
  /** Makes renames in it survive a power cut, where the file system can. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** Opens a confined folder, or that of a confined path; refuses when it is not the one that was found. The caller closes it. */
export const openFolder = async (place: ConfinedFolder, disk: Disk): Promise<Folder> => {
  const handle = await open(place, disk)
  try {
    const { dev, ino } = await handle.stat({ bigint: true })
    const route = await routeTo(handle, place, disk)
    const verify = async () => {
      const now = await orAbsent(disk.stat(place.folder, { bigint: true }))
      const real = await orAbsent(disk.realpath(place.folder))
      if (now?.dev !== dev || now.ino !== ino || real !== place.found.real) throw swapped(place)
    }
    if (dev !== place.found.dev || ino !== place.found.ino) throw swapped(place)
    await verify()
    return { at: (name) => join(route, name), verify, sync: () => syncFolder(handle), close: () => handle.close() }
  } catch (error) {
    await handle.close()
    throw error
  }
}

const open = async (place: ConfinedFolder, disk: Disk): Promise<FileHandle> => {
  try {
    return await disk.open(place.folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  } catch (error) {
    if (['ELOOP', 'ENOTDIR', 'ENOENT'].includes(errno(error) ?? '')) throw swapped(place)
    throw error
  }
}

/**
 * Node has no `openat`. On Linux a path through the open descriptor does the same: no swap of a folder above can lead it
 * elsewhere. Where that is not there, the plain path is used and `verify` finds a swap before anything is replaced.
 */
const routeTo = async (handle: FileHandle, place: ConfinedFolder, disk: Disk): Promise<string> => {
  const route = `/proc/self/fd/${handle.fd}`
  const there = await disk.stat(route, { bigint: true }).catch(() => null)
  return there?.dev === place.found.dev && there.ino === place.found.ino ? route : place.folder
}

const syncFolder = async (handle: FileHandle): Promise<void> => {
  try {
    await handle.sync()
  } catch (error) {
    // Windows and some network file systems cannot do this for a folder; there is nothing else to be done on them.
    if (!['EPERM', 'EINVAL', 'ENOTSUP', 'EISDIR'].includes(errno(error) ?? '')) throw error
  }
}

const swapped = (place: ConfinedFolder) =>
  pathRefused(place.path, 'its folder was replaced by another while it was being used')
