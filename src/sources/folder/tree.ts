import { isGone, isLasting, reasonOf } from './errno.ts'
import { type FileSystem, stampOf } from './file-system.ts'
import { childOf, pathOf } from './key.ts'
import { readRegularFile } from './read-file.ts'
import type { Rules } from './rules.ts'

/** Counters for people and tests: how much there was to look at. They only grow. */
export interface FolderStats {
  filesRead: number
  filesStated: number
}

/** The folder as one read sees it. */
export interface Tree {
  fs: FileSystem
  root: string
  stats: FolderStats
  signal: AbortSignal
}

/** A directory and the rules for what lies in it. */
export interface Place {
  key: string
  rules: Rules
}

/** A directory whose rules are still to be read; those of its parent are known. */
export interface Entrance {
  key: string
  above: Rules
}

/** Neither it nor what lies below it can be looked at; `lasting` until somebody changes it. */
export interface Closed {
  kind: 'closed'
  key: string
  reason: string
  lasting: boolean
}

export const closedBy = (key: string, error: unknown): Closed => ({
  kind: 'closed',
  key,
  reason: reasonOf(error),
  lasting: isLasting(error),
})

/** `hidden`: it is there but no item; the rules pass it over (no reason), or it is a link, a pipe, a device. */
export type Found =
  | { kind: 'file'; key: string; stamp: string }
  | { kind: 'directory'; key: string }
  | { kind: 'hidden'; key: string; reason: string | null }
  | Closed

const rulesBytes = 262_144

/**
 * Reads the rules of a directory. One whose .gitignore is there and cannot be read stays closed: what it hides must
 * not show.
 */
export const enter = async (tree: Tree, { key, above }: Entrance): Promise<Place | Closed> => {
  const content = await readRegularFile(tree.fs, pathOf(tree.root, childOf(key, '.gitignore')), rulesBytes)
  if (content.kind === 'content') return { key, rules: above.within(key, content.bytes.toString()) }
  if (content.kind === 'gone' || content.kind === 'irregular') return { key, rules: above }
  const lasting = content.kind === 'unwanted' || content.lasting
  return { kind: 'closed', key, reason: `its .gitignore cannot be followed: ${content.reason}`, lasting }
}

/** The way into the root: the rules of the settings and of .git/info/exclude. */
export const rootEntrance = async (tree: Tree, settings: Rules): Promise<Entrance> => {
  const content = await readRegularFile(tree.fs, pathOf(tree.root, '.git/info/exclude'), rulesBytes)
  return { key: '', above: content.kind === 'content' ? settings.within('', content.bytes.toString()) : settings }
}

const nameOfOther = (stats: Awaited<ReturnType<FileSystem['lstat']>>): string => {
  if (stats.isSymbolicLink()) return 'a symbolic link'
  if (stats.isFIFO()) return 'a pipe'
  return stats.isSocket() ? 'a socket' : 'a device'
}

/** Looks at one entry of a directory, without following links; null when nothing is there. */
export const lookAt = async (tree: Tree, rules: Rules, key: string): Promise<Found | null> => {
  try {
    tree.stats.filesStated++
    const stats = await tree.fs.lstat(pathOf(tree.root, key))
    if (rules.ignores(key, stats.isDirectory())) return { kind: 'hidden', key, reason: null }
    if (stats.isDirectory()) return { kind: 'directory', key }
    if (stats.isFile()) return { kind: 'file', key, stamp: stampOf(stats) }
    return { kind: 'hidden', key, reason: nameOfOther(stats) }
  } catch (error) {
    return isGone(error) ? null : closedBy(key, error)
  }
}
