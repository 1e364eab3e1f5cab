import { Fault } from '../domain/errors.ts'
import type { BeforeImage } from '../domain/tool.ts'
import { type ConfinedPath, confined } from './confine.ts'
import { contentHash } from './content-hash.ts'
import { type Disk, diskFault, errno } from './disk.ts'
import { type Folder, openFolder } from './folder.ts'
import { isUntouched, largestFile, type Snapshot, snapshot, tooLarge } from './snapshot.ts'
import { removeLeftovers, temporaryName, writeTemporary } from './temporary-file.ts'

export interface FileChange {
  path: string
  /** What shall stand in the file instead of `before`; null for no file. Throws to leave all as it is. */
  next(before: Snapshot | null): Uint8Array | null
  /** Called with everything prepared and before a file is replaced; throwing leaves it as it was. */
  ready?(image: BeforeImage): void
  signal?: AbortSignal
  /** Whose mode and owner a file gets that is made new. */
  like?: Snapshot
}

export interface ChangedFile {
  /** As confined: relative, names separated by `/`. */
  path: string
  /** SHA-256 of what stands there now; null for no file. */
  hash: string | null
  changed: boolean
}

/**
 * Changes one workspace file whole or not at all: the new content is written beside it and takes its name once it is on
 * the disk. Mode and, where permitted, owner stay. To be called in the workspace's turn (`inTurn`), so that a temporary
 * file found in the folder can only be left over.
 */
export const changeFile = async (root: string, change: FileChange, disk: Disk): Promise<ChangedFile> => {
  stopIfAborted(change)
  const place = await confined(root, change.path, { disk })
  try {
    const folder = await openFolder(place, disk)
    try {
      return await changeIn(folder, place, change, disk)
    } finally {
      await folder.close()
    }
  } catch (error) {
    throw diskFault(place.path, error)
  }
}

const changeIn = async (folder: Folder, place: ConfinedPath, change: FileChange, disk: Disk): Promise<ChangedFile> => {
  const { path } = place
  const before = await snapshot(place, folder, disk)
  await folder.verify()
  await removeLeftovers(folder, disk)
  const after = change.next(before)
  const hash = after === null ? null : contentHash(after)
  if (hash === (before?.hash ?? null)) return { path, hash, changed: false }

  if (before !== null && (Number(before.stat.mode) & 0o200) === 0) throw markedReadOnly(path)
  const file = folder.at(place.name)
  const beforeTheLastStep = async () => {
    await folder.verify()
    if (!(await isUntouched(file, before, disk))) throw changedMeanwhile(path)
    stopIfAborted(change)
  }
  if (after === null || hash === null) {
    await beforeTheLastStep()
    await disk.unlink(file)
  } else {
    if (after.length > largestFile) throw tooLarge(path)
    const temporary = temporaryName(path, hash)
    try {
      await writeTemporary(folder, temporary, after, before ?? change.like ?? null, disk)
      await beforeTheLastStep()
      change.ready?.({ path, before: before?.bytes ?? null, beforeHash: before?.hash ?? null, afterHash: hash })
      await disk.rename(folder.at(temporary), file)
    } catch (error) {
      // What cannot be removed now is removed by the next change in this folder.
      await disk.unlink(folder.at(temporary)).catch(() => undefined)
      throw error
    }
  }
  await confirm(folder, path)
  return { path, hash, changed: true }
}

const stopIfAborted = ({ path, signal }: FileChange): void => {
  if (signal?.aborted)
    throw new Fault('tool/aborted', `Stopped before ${path} was changed. The file is as it was.`, { path })
}

const markedReadOnly = (path: string) =>
  new Fault('tool/read-only', `Cannot write ${path}: the file is marked read-only. Allow writing to it first.`, {
    path,
  })

const changedMeanwhile = (path: string) =>
  new Fault(
    'tool/changed-meanwhile',
    `Did not write ${path}: somebody else changed it at the same time. Their version stands; try again.`,
    { path },
  )

const confirm = async (folder: Folder, path: string): Promise<void> => {
  try {
    await folder.sync()
  } catch (error) {
    const code = errno(error) ?? 'unknown'
    const sentence = `Changed ${path}, but the disk did not confirm it (${code}). Look at the file, and check the disk.`
    throw new Fault('tool/unconfirmed', sentence, { path, errno: code })
  }
}
