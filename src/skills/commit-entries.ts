import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from '../domain/errors.ts'
import { confined } from './confine.ts'
import type { Disk } from './disk.ts'
import { done, type Git } from './git.ts'
import { presentAt, type Snapshot } from './snapshot.ts'
import { notThere } from './text-file.ts'

/** A line for git's index: what stands under a path, or mode 0 for nothing. */
export interface Entry {
  path: string
  mode: string
  blob: string
}

interface Files {
  root: string
  git: Git
  disk: Disk
  signal: AbortSignal
  paths: readonly string[]
}

/** Writes these files, as they stand, among the objects of a repository whose last commit is `head`. */
export const entriesOf = async (files: Files, head: string | null): Promise<Entry[]> => {
  const { root, git, disk, signal, paths } = files
  await refuseNested(root, paths)
  await refuseFiltered(git, paths)
  const modes = head === null ? new Map<string, string>() : await trackedModes(git, head, paths)
  await refuseIgnored(
    git,
    paths.filter((path) => !modes.has(path)),
  )
  const { usesModes, withoutFilters } = await configured(git)
  const entries: Entry[] = []
  for (const path of paths) {
    const found = await contentOf(root, path, disk)
    const was = modes.get(path)
    if (found === null && was === undefined) throw notThere(path)
    if (found === null) entries.push({ path, mode: '0', blob: '0'.repeat(head?.length ?? 40) })
    else {
      const hash = ['hash-object', '-w', '--stdin', `--path=${path}`]
      const blob = done('hash-object', await git(hash, { input: found.bytes, settings: withoutFilters, signal }))
      const isProgram = usesModes ? (Number(found.stat.mode) & 0o100) !== 0 : was === '100755'
      entries.push({ path, mode: isProgram ? '100755' : '100644', blob })
    }
  }
  return entries
}

/** A folder with a history of its own (a submodule) keeps its files there. */
const refuseNested = async (root: string, paths: readonly string[]): Promise<void> => {
  const folders = new Set<string>()
  for (const path of paths)
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) folders.add(path.slice(0, at))
  for (const folder of folders) {
    const inside = await lstat(join(root, folder, '.git')).then(
      () => true,
      () => false,
    )
    if (!inside) continue
    const sentence = `${folder} is a repository of its own. Commit there yourself.`
    throw new Fault('tool/git-elsewhere', sentence, { folder })
  }
}

/** What goes through a filter (Git LFS, encryption) must not be committed without it, and the filter is a program. */
const refuseFiltered = async (git: Git, paths: readonly string[]): Promise<void> => {
  const found = done('check-attr', await git(['check-attr', '-z', 'filter', '--', ...paths])).split('\0')
  for (let index = 0; index + 2 < found.length; index += 3) {
    const [path = '', , filter = ''] = found.slice(index, index + 3)
    if (filter === 'unspecified' || filter === 'unset') continue
    const sentence = `Cannot commit ${path}: it goes through the filter ${filter}, and no program is started for it. Commit it yourself.`
    throw new Fault('tool/git-filter', sentence, { path, filter })
  }
}

const trackedModes = async (git: Git, head: string, paths: readonly string[]): Promise<Map<string, string>> => {
  const listed = done('ls-tree', await git(['ls-tree', '-z', head, '--', ...paths])).split('\0')
  return new Map(
    listed
      .filter((line) => line !== '')
      .map((line) => [line.slice(line.indexOf('\t') + 1), line.slice(0, line.indexOf(' '))]),
  )
}

const refuseIgnored = async (git: Git, paths: readonly string[]): Promise<void> => {
  if (paths.length === 0) return
  // It takes names and no patterns, and refuses to be told so.
  const env = { GIT_LITERAL_PATHSPECS: '0' }
  const found = await git(['check-ignore', '-z', '--stdin'], { env, input: paths.map((path) => `${path}\0`).join('') })
  if (found.code === 1) return
  const path = done('check-ignore', found).split('\0')[0] ?? ''
  const sentence = `Cannot commit ${path}: a .gitignore leaves it out. Commit it yourself if it is meant.`
  throw new Fault('tool/git-ignored', sentence, { path })
}

/** No file that is named goes through a filter; should its attributes change now, still none is started. */
const configured = async (git: Git): Promise<{ usesModes: boolean; withoutFilters: string[] }> => {
  const { out } = await git(['config', '-z', '--get-regexp', '^(filter\\.|core\\.filemode$)'])
  const settings = out.split('\0').map((setting) => setting.split('\n'))
  const names = new Set(settings.map(([name = '']) => name).filter((name) => name.startsWith('filter.')))
  return {
    usesModes: settings.findLast(([name]) => name === 'core.filemode')?.[1] !== 'false',
    withoutFilters: [...names].map((name) => (name.endsWith('.required') ? `${name}=false` : `${name}=`)),
  }
}

const contentOf = async (root: string, path: string, disk: Disk): Promise<Snapshot | null> => {
  const place = await confined(root, path, { access: 'read', disk }).catch((error: unknown) => {
    // With its folder the file is gone too.
    if (error instanceof Fault && error.code === 'tool/folder-missing') return null
    throw error
  })
  return place === null ? null : presentAt(place, path, disk)
}
