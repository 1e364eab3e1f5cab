import { Fault } from '../domain/errors.ts'
import { confinedFolder } from './confine.ts'
import { type Disk, diskFault } from './disk.ts'
import { type Folder, openFolder } from './folder.ts'
import { type Ignored, nothingIgnored } from './ignored.ts'
import { pathNames } from './path-names.ts'
import { protection } from './protected-names.ts'
import { holdsSecrets } from './secret-names.ts'
import { textIn } from './text-file.ts'

/** Something in the workspace. `other`: a link, a pipe, a socket, a device; none of them is ever followed or opened. */
export interface TreeEntry {
  path: string
  name: string
  kind: 'file' | 'folder' | 'other'
  /** The folder it is in, open as long as it is this entry's turn. */
  folder: Folder
}

interface Walk {
  root: string
  disk: Disk
  signal: AbortSignal
  /** Also what lies in folders. */
  deep: boolean
  /** A folder below the first that the system does not let us read. */
  onClosed?(path: string): void
}

const largestGitignore = 256 * 1024

/** The path of a folder as a model may write it: `.`, `./docs/` and `docs` all do. '' is the workspace. */
export const folderPath = (path: string): string => {
  const bare = path.trim().replace(/(?:\/\.?)+$/, '')
  return bare === '' || bare === '.'
    ? path.startsWith('/')
      ? refusedRoot(path)
      : ''
    : pathNames(bare, 'read').join('/')
}

const refusedRoot = (path: string): string => pathNames(path, 'read').join('/')

/**
 * What lies in a workspace folder, sorted by name, a folder before what is in it. Passes over what tools may not read,
 * node_modules, and what .gitignore files name; a folder that is asked for by its own path is shown even so.
 */
export async function* entriesIn(walk: Walk, start: string): AsyncGenerator<TreeEntry> {
  const ignored = await rulesOnTheWay(walk, start)
  yield* entries(walk, start, ignored)
}

async function* entries(walk: Walk, path: string, above: Ignored): AsyncGenerator<TreeEntry> {
  const { disk } = walk
  const folder = await openWithin(walk.root, path, disk)
  try {
    const found = await readFolder(folder, path, disk)
    const ignored = found.some(({ name }) => name === '.gitignore') ? await rulesIn(folder, path, above, disk) : above
    for (const each of found) {
      if (walk.signal.aborted) throw stopped()
      const child = path === '' ? each.name : `${path}/${each.name}`
      const kind = each.isFile() ? 'file' : each.isDirectory() ? 'folder' : 'other'
      if (isHidden(each.name, kind) || ignored.ignores(child, kind === 'folder')) continue
      yield { path: child, name: each.name, kind, folder }
      if (kind === 'folder' && walk.deep) yield* below(walk, child, ignored)
    }
  } finally {
    await folder.close()
  }
}

async function* below(walk: Walk, path: string, ignored: Ignored): AsyncGenerator<TreeEntry> {
  const inside = entries(walk, path, ignored)
  try {
    // Only what happens before the first entry is about this folder; a name that cannot be said is passed over too.
    for (let next = await inside.next(); !next.done; next = await inside.next()) yield next.value
  } catch (error) {
    if (!(error instanceof Fault) || error.code === 'tool/aborted') throw error
    walk.onClosed?.(path)
  } finally {
    await inside.return(undefined)
  }
}

const openWithin = async (root: string, path: string, disk: Disk): Promise<Folder> => {
  const place = await confinedFolder(root, path, disk)
  try {
    return await openFolder(place, disk)
  } catch (error) {
    throw diskFault(path === '' ? '.' : path, error)
  }
}

const readFolder = async (folder: Folder, path: string, disk: Disk) => {
  try {
    const found = await disk.readdir(folder.at('.'), { withFileTypes: true })
    await folder.verify()
    return found.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  } catch (error) {
    throw diskFault(path === '' ? '.' : path, error)
  }
}

const isHidden = (name: string, kind: TreeEntry['kind']): boolean =>
  protection(name, 'read') !== null || holdsSecrets(name) || (kind === 'folder' && name === 'node_modules')

const rulesIn = async (folder: Folder, path: string, above: Ignored, disk: Disk): Promise<Ignored> => {
  try {
    const found = await textIn(folder, '.gitignore', '.gitignore', largestGitignore, disk)
    return found.kind === 'text' ? above.within(path, found.text) : above
  } catch {
    // A link or an unreadable file: git reads neither.
    return above
  }
}

const rulesOnTheWay = async ({ root, disk }: Walk, start: string): Promise<Ignored> => {
  let ignored = nothingIgnored
  const names = start === '' ? [] : start.split('/')
  for (const [index, name] of names.entries()) {
    const path = names.slice(0, index).join('/')
    const folder = await openWithin(root, path, disk)
    try {
      ignored = await rulesIn(folder, path, ignored, disk)
    } finally {
      await folder.close()
    }
    if (ignored.ignores(path === '' ? name : `${path}/${name}`, true)) return nothingIgnored
  }
  return ignored
}

const stopped = () => new Fault('tool/aborted', 'Stopped before it was finished. Nothing was changed.')
