import { Fault } from '../../domain/errors.ts'
import { reasonOf } from './errno.ts'
import { type FileSystem, stampOf } from './file-system.ts'
import { pathOf } from './key.ts'

export const unreadable = (root: string, reason: string): Fault =>
  new Fault(
    'source/unreadable',
    `Cannot read the folder ${root}: ${reason}. Nothing is taken as removed; check that the folder is there and may be read.`,
    { root, reason },
  )

/** Which directory the root is now; throws the fault that a read fails with when it is none. */
export const identityOf = async (fs: FileSystem, root: string): Promise<string> => {
  const stats = await fs.stat(root).catch((error: unknown) => {
    throw unreadable(root, reasonOf(error))
  })
  if (!stats.isDirectory()) throw unreadable(root, 'it is not a folder')
  return `${stats.dev}:${stats.ino}`
}

/** The stamp of the one file of rules that lies where nothing is watched. */
export const excludeStamp = async (fs: FileSystem, root: string): Promise<string> =>
  fs.lstat(pathOf(root, '.git/info/exclude')).then(stampOf, () => 'none')
