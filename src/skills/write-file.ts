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

const name = 'write_file'
const longestContent = 1024 * 1024
const Hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/i, 'must be a SHA-256 in hex')
  .toLowerCase()
const Arguments = z.strictObject({
  path: z.string().describe('The file, relative to the workspace folder.'),
  content: z.string().describe('All that shall stand in it; at most 1 MiB.'),
  expectedHash: Hash.optional().describe(
    'SHA-256 in hex of the content that is replaced; with any other, nothing is written.',
  ),
})
const parameters = parametersOf(Arguments)

const parse = (args: Record<string, JSONType>) => {
  const { path, content, expectedHash } = argumentsOf(name, Arguments, args)
  refuseText(name, 'content', content, longestContent)
  return { path: pathNames(path).join('/'), content, ...(expectedHash === undefined ? {} : { expectedHash }) }
}

/** The tool that replaces a file in the workspace, or makes one in a folder that is there. */
export const writeFile = (root: string, disk: Disk = realDisk): Tool => ({
  name,
  description:
    'Replaces the whole content of a file in the workspace. The file is made when it is not there; its folder must be. ' +
    'Arguments: path (relative to the workspace), content (at most 1 MiB), expectedHash (optional: SHA-256 in hex of ' +
    'the content that is to be replaced; with any other there, nothing is written).',
  effect: 'write',
  get parameters() {
    return parameters()
  },
  repeatable: false,
  parse,
  target: (args) => parse(args).path,
  run: async (args, run) => {
    const { path, content, expectedHash } = parse(args)
    return inTurn(root, () => write(root, path, content, expectedHash, run, disk))
  },
  check: async (_args, run) => checkWritten(root, run, disk),
})

const write = async (
  root: string,
  path: string,
  content: string,
  expectedHash: string | undefined,
  run: ToolRun,
  disk: Disk,
): Promise<string> => {
  const next = (before: Snapshot | null): Uint8Array => {
    if (expectedHash !== undefined && before?.hash !== expectedHash) throw notAsExpected(path, before, expectedHash)
    return Buffer.from(content)
  }
  const written = await changeFile(
    root,
    { path, next, ready: (image) => run.keepBefore(image), signal: run.signal },
    disk,
  )
  const verb = written.changed ? 'Wrote' : 'Left as it was, with just this content:'
  return `${verb} ${path} (${Buffer.byteLength(content)} bytes, SHA-256 ${written.hash}).`
}

const notAsExpected = (path: string, before: Snapshot | null, expected: string): Fault => {
  const found = before?.hash ?? null
  const stands = found === null ? 'there is no such file' : `its SHA-256 is ${found}`
  const sentence = `Did not write ${path}: it was to replace the content ${expected}, but ${stands}. Read it again first.`
  return new Fault('tool/changed-since', sentence, { path, expected, found })
}
