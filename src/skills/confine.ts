import { isAbsolute, join, relative, sep } from 'node:path'
import { Fault } from '../domain/errors.ts'
import { type Disk, diskFault, errno, orAbsent, realDisk } from './disk.ts'
import { pathNames, pathRefused } from './path-names.ts'
import { type Access, protection } from './protected-names.ts'

/** A folder that was found to lie inside the workspace and to be allowed. */
export interface ConfinedFolder {
  /** What it is used for: its own path, or that of a file in it; relative to the workspace, names separated by `/`. */
  path: string
  /** The folder, absolute, below the workspace's real path. */
  folder: string
  /** Which folder was found there: its real path, device and inode. Another one under the same name is refused. */
  found: { real: string; dev: bigint; ino: bigint }
}

/** A file's place that was found to lie so. Only `openFolder` may turn it into an open file. */
export interface ConfinedPath extends ConfinedFolder {
  /** The file's name in the folder. */
  name: string
  exists: boolean
}

interface Options {
  access?: Access
  disk?: Disk
}

/**
 * Where a workspace-relative path leads, or Fault `tool/path-refused` that says why it may not be used: it would leave
 * the workspace, passes a symbolic link, is protected, or is no regular file. `tool/folder-missing` when its folder is
 * not there. The file itself may be absent.
 */
export const confined = async (root: string, path: string, options: Options = {}): Promise<ConfinedPath> => {
  const { access = 'write', disk = realDisk } = options
  const names = pathNames(path, access)
  try {
    return await walk(root, names, access, disk)
  } catch (error) {
    if (errno(error) === 'ENAMETOOLONG') throw pathRefused(path, 'it is longer than the file system allows')
    throw diskFault(names.join('/'), error)
  }
}

/** Where a folder of the workspace is, to be read from; `''` is the workspace itself. Throws as `confined` does. */
export const confinedFolder = async (root: string, path: string, disk: Disk = realDisk): Promise<ConfinedFolder> => {
  const names = path === '' ? [] : pathNames(path, 'read')
  try {
    const { realRoot, folder } = await descend(root, names, path, disk)
    const found = await folderFound(folder, disk)
    refuseReal(path, relative(realRoot, found.real), 'read')
    return { path, folder, found }
  } catch (error) {
    if (errno(error) === 'ENAMETOOLONG') throw pathRefused(path, 'it is longer than the file system allows')
    throw diskFault(path, error)
  }
}

const folderFound = async (folder: string, disk: Disk): Promise<ConfinedFolder['found']> => {
  const { dev, ino } = await disk.stat(folder, { bigint: true })
  return { real: await disk.realpath(folder), dev, ino }
}

/** Goes down from the workspace through folders that are no links. */
const descend = async (root: string, names: readonly string[], path: string, disk: Disk) => {
  const realRoot = await orAbsent(disk.realpath(root))
  if (realRoot === null) throw pathRefused(path, 'the workspace folder is not there')
  let folder = realRoot
  for (const [index, name] of names.entries()) {
    folder = join(folder, name)
    const shown = names.slice(0, index + 1).join('/')
    const stat = await orAbsent(disk.lstat(folder))
    if (stat === null) {
      const sentence = `Cannot use ${path}: there is no folder ${shown}. Make it first, or name a folder that is there.`
      throw new Fault('tool/folder-missing', sentence, { path, folder: shown })
    }
    if (stat.isSymbolicLink()) throw pathRefused(path, `${shown} is a symbolic link`)
    if (!stat.isDirectory()) throw pathRefused(path, `${shown} is not a folder`)
  }
  return { realRoot, folder }
}

const walk = async (root: string, names: string[], access: Access, disk: Disk): Promise<ConfinedPath> => {
  const path = names.join('/')
  const { realRoot, folder } = await descend(root, names.slice(0, -1), path, disk)
  const name = names.at(-1) ?? ''
  const file = join(folder, name)
  const stat = await orAbsent(disk.lstat(file))
  if (stat?.isSymbolicLink()) throw pathRefused(path, 'it is a symbolic link')
  if (stat?.isDirectory()) throw pathRefused(path, 'it is a folder')
  if (stat !== null && !stat.isFile()) throw pathRefused(path, 'it is not a regular file')
  if (stat !== null && stat.nlink > 1 && access === 'write') throw hardLinked(path)
  const found = await folderFound(folder, disk)
  // The names the file system itself uses: a short or differently written name may stand for a protected one.
  const truly = stat === null ? found.real : ((await orAbsent(disk.realpath(file))) ?? found.real)
  refuseReal(path, relative(realRoot, truly), access)
  return { path, folder, name, found, exists: stat !== null }
}

/** Which file the other name is cannot be known; it may be a protected one. */
export const hardLinked = (path: string): Fault =>
  pathRefused(path, 'it has a second name (a hard link), so that another file would be touched too')

const refuseReal = (path: string, truly: string, access: Access): void => {
  const names = truly.split(sep)
  if (names[0] === '..' || isAbsolute(truly)) throw pathRefused(path, 'it leads out of the workspace')
  for (const name of names) {
    const why = protection(name, access)
    if (why !== null) throw pathRefused(path, why)
  }
}
