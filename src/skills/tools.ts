import { failureOf } from '../domain/errors.ts'
import type { JSONType } from '../domain/json.ts'
import type { Tool } from '../domain/tool.ts'
import { appendFile } from './append-file.ts'
import { type Disk, realDisk } from './disk.ts'
import { type NotificationSink, notify } from './notify.ts'
import { visible } from './visible.ts'
import { writeFile } from './write-file.ts'

interface Needs {
  /** The workspace folder. */
  root: string
  notify: NotificationSink
  disk?: Disk
}

/** The tools that undermind brings along, by name. */
export const builtinTools = ({ root, notify: sink, disk = realDisk }: Needs): Map<string, Tool> =>
  new Map([appendFile(root, disk), writeFile(root, disk), notify(sink)].map((tool) => [tool.name, tool]))

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
