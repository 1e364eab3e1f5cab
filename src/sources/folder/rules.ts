import ignore, { type Ignore } from 'ignore'
import { patternsOf } from './gitignore.ts'
import { nameOf, textOf } from './key.ts'
import { isNeverRead } from './never-read.ts'

/** What of a tree is looked at; each directory may add to them for what lies below it. */
export interface Rules {
  /** Whether an entry is passed over, its parents being none that are. */
  ignores(key: string, directory: boolean): boolean
  /** These rules and those of the .gitignore in a directory, for everything below it. */
  within(directory: string, gitignore: string): Rules
  /** The same rules without the memory of every path they were asked about. */
  fresh(): Rules
}

const options = { ignorecase: process.platform === 'darwin' || process.platform === 'win32' }

/** The task list of the workspace is no item of it. */
const taskList = 'HEARTBEAT.md'

// A .gitignore comes with the folder and the settings are the user's: neither can bring back what the other leaves out.
const rules = (settings: Ignore, git: Ignore): Rules => ({
  ignores(key, directory) {
    const path = textOf(key)
    if (path === taskList || isNeverRead(nameOf(path))) return true
    const asked = directory ? `${path}/` : path
    return settings.ignores(asked) || git.ignores(asked)
  },
  within: (directory, gitignore) =>
    rules(
      settings,
      ignore(options)
        .add(git)
        .add(patternsOf(textOf(directory), gitignore)),
    ),
  fresh: () => rules(ignore(options).add(settings), ignore(options).add(git)),
})

/** `patterns` as in a .gitignore of the root; `!node_modules/` among them takes node_modules in. */
export const rulesFor = (patterns: readonly string[]): Rules =>
  rules(ignore(options).add(['node_modules/', ...patterns]), ignore(options))
