import { access, constants, realpath, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join, relative, resolve } from 'node:path'

export type Environment = Readonly<Record<string, string | undefined>>

const handedOn = ['HOME', 'USERPROFILE', 'XDG_CONFIG_HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR', 'SystemRoot']

/**
 * What a program is told of its surroundings: where programs and the user's own settings are and which language the user
 * speaks, and none of the rest, where keys and passwords are. Folders of the workspace are taken out of the path, so that
 * a file in it cannot pose as a program.
 */
export const reducedEnvironment = async (env: Environment, root: string): Promise<Record<string, string>> => {
  const reduced: Record<string, string> = {
    PATH: (await programFolders(env, root)).join(delimiter),
    TERM: 'dumb',
    NO_COLOR: '1',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    GIT_EDITOR: ':',
    GIT_SEQUENCE_EDITOR: ':',
  }
  for (const name of handedOn) {
    const value = env[name]
    if (value !== undefined) reduced[name] = value
  }
  return reduced
}

const programFolders = async (env: Environment, root: string): Promise<string[]> => {
  const given = env.PATH ?? env.Path ?? '/usr/local/bin:/usr/bin:/bin'
  const folders = given.split(delimiter).filter((folder) => folder !== '' && isAbsolute(folder))
  const outside = await Promise.all(folders.map(async (folder) => !(await isInside(root, folder))))
  return folders.filter((_, index) => outside[index])
}

/** The program of this name on the path of a reduced environment, absolute; null when there is none. */
export const programNamed = async (name: string, { PATH = '' }: Record<string, string>, root: string) => {
  for (const folder of PATH.split(delimiter)) {
    const file = join(folder, name)
    // A link elsewhere on the path may still lead into the workspace.
    if ((await isProgram(file)) && !(await isInside(root, file))) return file
  }
  return null
}

export const isProgram = async (file: string): Promise<boolean> => {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    return false
  }
}

/** Where a path leads below a folder, links followed, `''` for the folder itself; null when that is outside. */
export const within = async (root: string, path: string): Promise<string | null> => {
  const from = await realpath(root).catch(() => resolve(root))
  const to = await realpath(path).catch(() => resolve(from, relative(root, path)))
  const between = relative(from, to)
  return between.split(/[\\/]/)[0] === '..' || isAbsolute(between) ? null : between
}

const isInside = async (root: string, path: string): Promise<boolean> => (await within(root, path)) !== null
