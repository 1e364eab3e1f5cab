import { isUtf8 } from 'node:buffer'
import { z } from 'zod'
import { Fault } from '../domain/errors.ts'
import type { JSONType } from '../domain/json.ts'
import type { Tool, ToolRun } from '../domain/tool.ts'
import { argumentsOf, refuseText } from './arguments.ts'
import { changeFile } from './change-file.ts'
import { checkWritten } from './check-written.ts'
import { type Disk, realDisk } from './disk.ts'
import { inTurn } from './in-turn.ts'
import { parametersOf } from './parameters.ts'
import { pathNames } from './path-names.ts'
import type { Snapshot } from './snapshot.ts'

const name = 'append_file'
const longestText = 64 * 1024
const Arguments = z.strictObject({
  path: z.string().describe('The file, relative to the workspace folder.'),
  text: z.string().min(1).describe('What is added, on lines of its own; at most 64 KiB.'),
})
const parameters = parametersOf(Arguments)

const parse = (args: Record<string, JSONType>): z.infer<typeof Arguments> => {
  const { path, text } = argumentsOf(name, Arguments, args)
  refuseText(name, 'text', text, longestText)
  return { path: pathNames(path).join('/'), text }
}

/** The tool that adds lines to the end of a text file in the workspace, or begins one in a folder that is there. */
export const appendFile = (root: string, disk: Disk = realDisk): Tool => ({
  name,
  description:
    'Adds text to the end of a UTF-8 text file in the workspace, on a line of its own. The file is made when it is not ' +
    'there; its folder must be. Arguments: path (relative to the workspace), text (at most 64 KiB).',
  effect: 'write',
  get parameters() {
    return parameters()
  },
  repeatable: false,
  parse,
  target: (args) => parse(args).path,
  run: async (args, run) => {
    const { path, text } = parse(args)
    return inTurn(root, () => append(root, path, text, run, disk))
  },
  check: async (_args, run) => checkWritten(root, run, disk),
})

const append = async (root: string, path: string, text: string, run: ToolRun, disk: Disk): Promise<string> => {
  await changeFile(
    root,
    {
      path,
      next: (before) => appended(path, before, text),
      ready: (image) => run.keepBefore(image),
      signal: run.signal,
    },
    disk,
  )
  return `Appended ${Buffer.byteLength(text)} bytes to ${path}.`
}

const appended = (path: string, before: Snapshot | null, text: string): Uint8Array => {
  const bytes = Buffer.from(before?.bytes ?? [])
  if (!isUtf8(bytes) || bytes.includes(0)) {
    throw new Fault('tool/not-text', `Cannot append to ${path}: it is not UTF-8 text. Choose another file.`, { path })
  }
  const newline = bytes.includes('\r\n') ? '\r\n' : '\n'
  const begin = bytes.length === 0 || bytes.at(-1) === 0x0a ? '' : newline
  const end = text.endsWith('\n') ? '' : newline
  return Buffer.concat([bytes, Buffer.from(`${begin}${text}${end}`)])
}
