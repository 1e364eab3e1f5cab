import { readFile, realpath } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { Fault } from '../domain/errors.ts'
import { done, type Git } from './git.ts'

/** Where a workspace's history is kept. */
export interface Repository {
  /** The folder that git looks after, real. */
  top: string
  /** Its own state: .git, or that of a further working tree. */
  folder: string
}

/**
 * The repository that a workspace is, or lies in; null when there is none. Fault `tool/git-elsewhere` when its history
 * is kept in a place that does not know of it: a file named .git in a stranger's folder could name anybody's.
 */
export const repositoryOf = async (root: string, git: Git, signal?: AbortSignal): Promise<Repository | null> => {
  const asked = await git(['rev-parse', '--show-toplevel', '--absolute-git-dir', '--git-common-dir'], {
    ...(signal && { signal }),
  })
  if (/not a git repository|must be run in a work tree/.test(asked.problem)) return null
  const [top = '', folder = '', common = ''] = done('rev-parse', asked).split('\n')
  const place = { top: await realpath(top), folder: await realpath(folder) }
  const shared = await realpath(isAbsolute(common) ? common : join(root, common))
  if (isBelow(place.top, place.folder) && isBelow(place.top, shared)) return place
  if (await knows(place)) return place
  const sentence = `The history of this workspace is kept in ${place.folder}, which does not know of it. Use git there yourself.`
  throw new Fault('tool/git-elsewhere', sentence, { folder: place.folder })
}

const isBelow = (folder: string, path: string): boolean => {
  const between = relative(folder, path)
  return between !== '' && !between.startsWith('..') && !isAbsolute(between)
}

/** A further working tree (git worktree) is written down where the history is kept. */
const knows = async ({ top, folder }: Repository): Promise<boolean> => {
  try {
    const written = (await readFile(join(folder, 'gitdir'), 'utf8')).trim()
    return (await realpath(written)) === join(top, '.git')
  } catch {
    return false
  }
}
