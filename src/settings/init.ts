import { chmod, lstat, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Fault } from '../domain/errors.ts'
import { codeOf } from './errno.ts'
import { heartbeatTemplate, settingsTemplate } from './templates.ts'
import { kindOf, noPermission, notAFolder, type WorkspacePaths, workspacePaths } from './workspace.ts'

export interface InitResult {
  paths: WorkspacePaths
  /** What was made, relative to the workspace; empty when everything was there. */
  made: string[]
  /**
   * True when nothing that settings, programs or state come from was there before. Only then does making the workspace say
   * that the user trusts it.
   */
  ours: boolean
}

const isThere = async (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

/** Runs `make` and says whether it made something: false when something, a link that leads nowhere too, was there. */
const onlyWhereAbsent = async (make: () => Promise<unknown>): Promise<boolean> => {
  try {
    await make()
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Folder by folder: Node's own recursive way never ends where a system refuses with ENOENT, as /proc does. */
const makeFolder = async (path: string): Promise<void> => {
  const kind = await kindOf(path)
  if (kind === 'folder') return
  if (kind === 'other') throw notAFolder(path)
  if (dirname(path) !== path) await makeFolder(dirname(path))
  await onlyWhereAbsent(() => mkdir(path))
}

const makeStateFolder = async (path: string): Promise<boolean> => {
  const made = await onlyWhereAbsent(() => mkdir(path, { mode: 0o700 }))
  if (!(await lstat(path)).isDirectory()) throw notAFolder(path)
  await chmod(path, 0o700)
  return made
}

const makeWorkspace = async (folder: string, files: Readonly<Record<string, string>>): Promise<InitResult> => {
  await makeFolder(resolve(folder))
  const paths = workspacePaths(folder)
  const before = [paths.settingsFile, paths.stateDir, join(paths.root, '.mcp.json')]
  const ours = !(await Promise.all(before.map(isThere))).includes(true)
  const made = (await makeStateFolder(paths.stateDir)) ? ['.undermind'] : []
  for (const [name, text] of Object.entries(files)) {
    const path = join(paths.root, name)
    await makeFolder(dirname(path))
    const mode = name.startsWith('.undermind/') ? 0o600 : 0o644
    if (await onlyWhereAbsent(() => writeFile(path, text, { flag: 'wx', mode }))) made.push(name)
  }
  return { paths, made, ours }
}

/**
 * Makes a folder a workspace, and the folder itself where there is none, with further files by path if given. Never
 * overwrites: what is there stays as it is.
 * Throws `workspace/not-a-folder`, `workspace/no-permission`.
 */
export const initWorkspace = async (
  folder: string,
  extra: Readonly<Record<string, string>> = {},
): Promise<InitResult> => {
  const files = {
    '.undermind/.gitignore': '*\n',
    'undermind.toml': settingsTemplate(),
    'HEARTBEAT.md': heartbeatTemplate,
    ...extra,
  }
  try {
    return await makeWorkspace(folder, files)
  } catch (error) {
    throw error instanceof Fault || codeOf(error) === 'unknown' ? error : noPermission(folder, codeOf(error))
  }
}

/**
 * Takes a folder that holds a HEARTBEAT.md as a workspace: makes the place for undermind's own state and nothing else.
 * Does nothing where there is no HEARTBEAT.md.
 */
export const adoptWorkspace = async (folder: string): Promise<void> => {
  const paths = workspacePaths(folder)
  if (!(await isThere(paths.heartbeatFile))) return
  try {
    await makeStateFolder(paths.stateDir)
    await onlyWhereAbsent(() => writeFile(join(paths.stateDir, '.gitignore'), '*\n', { flag: 'wx', mode: 0o600 }))
  } catch (error) {
    throw error instanceof Fault || codeOf(error) === 'unknown' ? error : noPermission(folder, codeOf(error))
  }
}
