import type { BigIntStats } from 'node:fs'
import { Fault } from '../domain/errors.ts'
import { type ConfinedPath, confined, hardLinked } from './confine.ts'
import { contentHash } from './content-hash.ts'
import { type Disk, diskFault, orAbsent } from './disk.ts'
import { type Folder, openFolder } from './folder.ts'
import { openToRead, readUpTo } from './open-to-read.ts'
import { pathRefused } from './path-names.ts'

/** The largest file that is changed: all of it must fit into a before-image. */
export const largestFile = 8 * 1024 * 1024

/** A file as it stood when it was read. */
export interface Snapshot {
  bytes: Uint8Array
  hash: string
  stat: BigIntStats
}

/** Reads a file that is about to be changed; null when there is none. Refuses what a write must not touch. */
export const snapshot = async (place: ConfinedPath, folder: Folder, disk: Disk): Promise<Snapshot | null> => {
  const handle = await openToRead(folder, place.name, place.path, disk)
  if (handle === null) return null
  try {
    const stat = await handle.stat({ bigint: true })
    if (!stat.isFile()) throw pathRefused(place.path, 'it is not a regular file')
    if (stat.nlink > 1n) throw hardLinked(place.path)
    const bytes = await readUpTo(handle, largestFile + 1)
    if (bytes.length > largestFile) throw tooLarge(place.path)
    return { bytes, hash: contentHash(bytes), stat }
  } finally {
    await handle.close()
  }
}

/** The present content of a workspace file; null when there is none. */
export const present = async (root: string, path: string, disk: Disk): Promise<Snapshot | null> => {
  const place = await confined(root, path, { disk })
  return presentAt(place, place.path, disk)
}

/** The same of a place that is known to be inside; faults call it `shown`. */
export const presentAt = async (place: ConfinedPath, shown: string, disk: Disk): Promise<Snapshot | null> => {
  try {
    const folder = await openFolder(place, disk)
    try {
      const found = await snapshot(place, folder, disk)
      await folder.verify()
      return found
    } finally {
      await folder.close()
    }
  } catch (error) {
    throw diskFault(shown, error)
  }
}

/** Whether the file is still the one that was read, untouched; null stands for no file. */
export const isUntouched = async (file: string, seen: Snapshot | null, disk: Disk): Promise<boolean> => {
  const now = await orAbsent(disk.lstat(file, { bigint: true }))
  if (now === null || seen === null) return now === seen
  return (['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const).every((field) => now[field] === seen.stat[field])
}

export const tooLarge = (path: string): Fault =>
  new Fault('tool/too-large', `Cannot change ${path}: it is or would become larger than ${largestFile} bytes.`, {
    path,
    largestFile,
  })
