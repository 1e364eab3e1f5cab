import type { Clock } from '../domain/clock.ts'
import { failureOf } from '../domain/errors.ts'
import type { JSONType } from '../domain/json.ts'
import type { Tool } from '../domain/tool.ts'
import { appendFile } from './append-file.ts'
import { diffFile, type ImagesOf } from './diff-file.ts'
import { type Disk, realDisk } from './disk.ts'
import type { Environment } from './environment.ts'
import { gitCommit } from './git-commit.ts'
import { listFiles } from './list-files.ts'
import { type NotificationSink, notify } from './notify.ts'
import { readFile } from './read-file.ts'
import { runCommand } from './run-command.ts'
import { searchFiles } from './search-files.ts'
import { visible } from './visible.ts'
import { writeFile } from './write-file.ts'

interface Needs {
  /** The workspace folder. */
  root: string
  notify: NotificationSink
  /** The entries of `tools.commands`. */
  commands: readonly string[]
  clock: Clock
  /** Takes credentials out of text before a tool answers with it. Not given: text stays as it is. */
  mask?: (text: string) => string
  /** What was kept before an evaluation's writes, the newest first. Not given: nothing. */
  images?: ImagesOf
  /** Of the process. Not given: its own. */
  env?: Environment
  disk?: Disk
}

/** The tools that undermind brings along, by name. */
export const builtinTools = (needs: Needs): Map<string, Tool> => {
  const { root, notify: sink, commands, clock, disk = realDisk, env = process.env } = needs
  const mask = needs.mask ?? ((text: string) => text)
  const images = needs.images ?? (() => [])
  const tools = [
    readFile(root, mask, disk),
    listFiles(root, mask, disk),
    searchFiles({ root, mask, disk, clock }),
    diffFile({ root, mask, images, clock, env, disk }),
    appendFile(root, disk),
    writeFile(root, disk),
    notify(sink),
    runCommand({ root, commands, mask, clock, env }),
    gitCommit({ root, clock, env, disk }),
  ]
  return new Map(tools.map((tool) => [tool.name, tool]))
}

/** What a card shows of a call, taken from the call alone, with hidden characters made visible. */
export interface CallDescription {
  tool: string
  target: string
  arguments: { name: string; value: string }[]
}

/** Describes a call for a card. Never throws: a card whose call no longer fits its tool must still be readable. */
export const describeCall = (tool: Tool, args: Record<string, JSONType>): CallDescription => ({
  tool: visible(tool.name),
  target: visible(targetOf(tool, args)).replace(/[\n\t]+/g, ' '),
  arguments: Object.entries(args).map(([name, value]) => ({
    name: visible(name),
    value: visible(typeof value === 'string' ? value : JSON.stringify(value)),
  })),
})

const targetOf = (tool: Tool, args: Record<string, JSONType>): string => {
  try {
    return tool.target(args)
  } catch (error) {
    return failureOf(error).message
  }
}
