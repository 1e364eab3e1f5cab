import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

const isWorkspace = (folder: string): boolean => {
  try {
    return isFolder(join(folder, '.undermind')) || existsSync(join(folder, 'HEARTBEAT.md'))
  } catch {
    return false // a folder that may not be looked into
  }
}

/** The workspace somebody in this folder means: the nearest one at or above it, else the folder itself. */
export const workspaceAround = (cwd: string): string => {
  const start = resolve(cwd)
  for (let folder = start; ; folder = dirname(folder)) {
    if (isWorkspace(folder)) return folder
    if (dirname(folder) === folder) return start
  }
}

/** A word as a shell must be given it. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
