import { z } from 'zod'
import type { JSONType } from '../domain/json.ts'
import type { Tool } from '../domain/tool.ts'
import { argumentsOf } from './arguments.ts'
import type { Disk } from './disk.ts'
import { parametersOf } from './parameters.ts'
import { pathNames } from './path-names.ts'
import { readable } from './readable.ts'
import { largestFile } from './snapshot.ts'
import { linesOf, notThere, textOf } from './text-file.ts'

const name = 'read_file'
const mostLines = 400
const mostBytes = 64 * 1024
const longestLine = 8000

const Arguments = z.strictObject({
  path: z.string().describe('The file, relative to the workspace folder.'),
  from_line: z.int().min(1).optional().describe('The first line wanted, counted from 1. Not given: 1.'),
  lines: z
    .int()
    .min(1)
    .max(mostLines)
    .optional()
    .describe(`How many lines, at most ${mostLines}. Not given: ${mostLines}.`),
})
const parameters = parametersOf(Arguments)

const parse = (args: Record<string, JSONType>) => {
  const { path, ...window } = argumentsOf(name, Arguments, args)
  return { path: pathNames(path, 'read').join('/'), ...window }
}

/** The tool that shows lines of a text file in the workspace, without the credentials in them. */
export const readFile = (root: string, mask: (text: string) => string, disk: Disk): Tool => ({
  name,
  description:
    'Shows lines of a text file in the workspace, below a line that says which. A call shows at most ' +
    `${mostLines} lines and 64 KiB; go on with from_line. Credentials in them are left out.`,
  effect: 'read',
  get parameters() {
    return parameters()
  },
  repeatable: true,
  parse,
  target: (args) => parse(args).path,
  run: async (args) => {
    const { path, from_line: from = 1, lines: wanted = mostLines } = parse(args)
    const text = await textOf(root, path, largestFile, disk)
    if (text === null) throw notThere(path)
    const lines = linesOf(text)
    if (text === '') return `${path} is empty.`
    if (from > lines.length) return `${path} has ${lines.length} lines; there is no line ${from}.`
    const shown = window(lines.slice(from - 1, from - 1 + wanted))
    const last = from - 1 + shown.length
    const more = lines.length - last
    return [
      `${path}, lines ${from} to ${last} of ${lines.length}:`,
      readable(mask(shown.join('\n'))),
      ...(more > 0 ? [`[${more} more; go on with from_line ${last + 1}]`] : []),
    ].join('\n')
  },
})

/** As many of the lines as one answer may hold, each cut where it is too long for a person to have written. */
const window = (lines: readonly string[]): string[] => {
  const shown: string[] = []
  let bytes = 0
  for (const line of lines) {
    const left = line.length - longestLine
    const short = left > 0 ? `${line.slice(0, longestLine)} [${left} more characters in this line]` : line
    bytes += Buffer.byteLength(short) + 1
    if (bytes > mostBytes && shown.length > 0) break
    shown.push(short)
  }
  return shown
}
