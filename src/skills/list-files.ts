import { z } from 'zod'
import type { JSONType } from '../domain/json.ts'
import type { Tool } from '../domain/tool.ts'
import { argumentsOf } from './arguments.ts'
import type { Disk } from './disk.ts'
import { globMatcher } from './glob.ts'
import { parametersOf } from './parameters.ts'
import { readableLine } from './readable.ts'
import { entriesIn, folderPath } from './tree.ts'

const name = 'list_files'
const mostListed = 1000
const usualLimit = 200
const mostSeen = 50_000

const Arguments = z.strictObject({
  path: z
    .string()
    .max(1024)
    .optional()
    .describe('The folder, relative to the workspace folder. Not given: the workspace itself.'),
  glob: z
    .string()
    .optional()
    .describe('Which files, at any depth below the folder: *.md, docs/**, src/*.{ts,tsx}. Not given: what lies in it.'),
  limit: z
    .int()
    .min(1)
    .max(mostListed)
    .optional()
    .describe(`How many are listed, at most ${mostListed}. Not given: ${usualLimit}.`),
})
const parameters = parametersOf(Arguments)

const parse = (args: Record<string, JSONType>) => {
  const { path, ...rest } = argumentsOf(name, Arguments, args)
  if (rest.glob !== undefined) globMatcher(name, rest.glob)
  return { path: folderPath(path ?? '') || '.', ...rest }
}

/** The tool that names the files of the workspace. */
export const listFiles = (root: string, mask: (text: string) => string, disk: Disk): Tool => ({
  name,
  description:
    'Lists what lies in a folder of the workspace, sorted, folders with a / behind them; with a glob, the files below it ' +
    'that match. What .gitignore names, node_modules and files with secrets are left out.',
  effect: 'read',
  get parameters() {
    return parameters()
  },
  repeatable: true,
  parse,
  target: (args) => parse(args).path,
  run: async (args, { signal }) => {
    const { path, glob, limit = usualLimit } = parse(args)
    const start = path === '.' ? '' : path
    const matches = glob === undefined ? undefined : globMatcher(name, glob)
    const listed: string[] = []
    const closed: string[] = []
    let seen = 0
    let more = false
    const walk = { root, disk, signal, deep: matches !== undefined, onClosed: (at: string) => void closed.push(at) }
    for await (const entry of entriesIn(walk, start)) {
      if (matches && entry.kind === 'folder') continue
      more = listed.length >= limit || ++seen > mostSeen
      if (more) break
      if (matches && !matches(start === '' ? entry.path : entry.path.slice(start.length + 1))) continue
      listed.push(readableLine(entry.path) + marks[entry.kind])
    }
    const where = path === '.' ? 'the workspace' : path
    const lines = [headline(listed.length, glob, where), ...listed]
    if (more) lines.push('[there are more; name a folder or a narrower glob]')
    if (closed.length > 0) lines.push(`[not readable: ${closed.slice(0, 5).map(readableLine).join(', ')}]`)
    return mask(lines.join('\n'))
  },
})

const headline = (count: number, glob: string | undefined, where: string): string => {
  if (glob === undefined) return count === 0 ? `There is nothing in ${where}.` : `${count} in ${where}:`
  if (count === 0) return `No file matches ${readableLine(glob)} in ${where}.`
  return count === 1 ? `1 file matches in ${where}:` : `${count} files match in ${where}:`
}

const marks = { file: '', folder: '/', other: ' (a link or no regular file: not to be read)' }
