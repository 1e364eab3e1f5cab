import { randomUUID } from 'node:crypto'
import { lstat, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Fault } from '../domain/errors.ts'
import { type Entry, entriesOf } from './commit-entries.ts'
import type { Disk } from './disk.ts'
import { done, type Git, type GitAnswer } from './git.ts'
import { type Repository, repositoryOf } from './git-repository.ts'

interface Commit {
  root: string
  git: Git
  disk: Disk
  signal: AbortSignal
  paths: readonly string[]
  message: string
}

/**
 * Makes a commit of just these files on top of the present one. It is put together from contents that were read as every
 * tool reads them, in an index of its own, so that nothing that is swapped meanwhile and nothing that the user has staged
 * gets into it; the branch moves last, and only if it still is where it was.
 */
export const makeCommit = async (commit: Commit): Promise<string> => {
  const { root, git, signal, paths, message } = commit
  await refuseUnfinished(await ownRepository(root, git, signal))
  const asked = await git(['rev-parse', '--quiet', '--verify', 'HEAD^{commit}'], { signal })
  const head = asked.code === 0 ? asked.out.trim() : null
  const entries = await entriesOf(commit, head)
  const tree = await treeOf(git, head, entries, signal)
  if (tree === (await treeBefore(git, head)))
    return `Nothing to commit: ${paths.join(', ')} ${paths.length === 1 ? 'is' : 'are'} as in the last commit.`
  const parents = head === null ? [] : ['-p', head]
  // Without a name that is set, git would make one up from those of the user and the machine.
  const settings = ['user.useConfigOnly=true', 'i18n.commitEncoding=utf-8']
  const made = committed(await git(['commit-tree', tree, ...parents, '-F', '-'], { input: message, settings, signal }))
  if (signal.aborted) throw new Fault('tool/aborted', 'Stopped before anything was committed.')

  // From here on it is not broken off, so that index and branch move together.
  const staged = await git(['update-index', '-z', '--index-info'], { input: indexLines(entries) })
  if (staged.code !== 0) throw busy(staged.problem)
  const title = message.split('\n')[0] ?? ''
  const moved = await git(['update-ref', '-m', `commit: ${title}`, 'HEAD', made, head ?? '0'.repeat(made.length)])
  if (moved.code !== 0) throw busy(moved.problem)
  const count = paths.length === 1 ? '1 file' : `${paths.length} files`
  return `Committed ${count} as ${made.slice(0, 12)}: ${title}`
}

const ownRepository = async (root: string, git: Git, signal: AbortSignal): Promise<Repository> => {
  const repository = await repositoryOf(root, git, signal)
  if (repository === null)
    throw new Fault('tool/no-repository', 'The workspace is no git repository. Make it one with git init first.')
  if (repository.top === (await realpath(root))) return repository
  const sentence = `The workspace is only a part of the repository ${repository.top}. Commits are made only where the workspace is the whole of it.`
  throw new Fault('tool/git-elsewhere', sentence, { folder: repository.top })
}

const unfinished = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply']

const refuseUnfinished = async ({ folder }: Repository): Promise<void> => {
  for (const name of unfinished) {
    const there = await lstat(join(folder, name)).then(
      () => true,
      () => false,
    )
    if (!there) continue
    const sentence = 'A merge, rebase, cherry-pick or revert is under way in the repository. Finish or abort it first.'
    throw new Fault('tool/git-busy', sentence, { found: name })
  }
}

const treeBefore = async (git: Git, head: string | null): Promise<string | null> =>
  head === null ? null : done('rev-parse', await git(['rev-parse', `${head}^{tree}`]))

const indexLines = (entries: readonly Entry[]): string =>
  entries.map(({ path, mode, blob }) => `${mode} ${blob}\t${path}\0`).join('')

const treeOf = async (git: Git, head: string | null, entries: readonly Entry[], signal: AbortSignal) => {
  const index = join(tmpdir(), `undermind-${randomUUID()}.index`)
  const env = { GIT_INDEX_FILE: index }
  try {
    done('read-tree', await git(['read-tree', head ?? '--empty'], { env, signal }))
    done('update-index', await git(['update-index', '-z', '--index-info'], { input: indexLines(entries), env, signal }))
    return done('write-tree', await git(['write-tree'], { env, signal }))
  } finally {
    await rm(index, { force: true })
    await rm(`${index}.lock`, { force: true })
  }
}

const committed = (answer: GitAnswer): string => {
  if (answer.code !== 0 && /ident|tell me who you are|auto-detection/i.test(answer.problem)) {
    const sentence = 'git does not know who makes commits here. Set user.name and user.email with git config first.'
    throw new Fault('tool/git-no-author', sentence)
  }
  return done('commit-tree', answer)
}

const busy = (problem: string): Fault => {
  const sentence = `Did not commit: somebody else uses the repository at the moment (${problem}). Try again.`
  return new Fault('tool/git-busy', sentence, { problem })
}
