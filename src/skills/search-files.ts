import { z } from 'zod'
import type { Clock } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'
import type { JSONType } from '../domain/json.ts'
import type { Tool } from '../domain/tool.ts'
import { argumentsOf } from './arguments.ts'
import type { Disk } from './disk.ts'
import { globMatcher } from './glob.ts'
import { parametersOf } from './parameters.ts'
import { readable, readableLine } from './readable.ts'
import { type LineSearch, regexSearch } from './regex-search.ts'
import { linesOf, textIn } from './text-file.ts'
import { entriesIn, type TreeEntry } from './tree.ts'

const name = 'search_files'
const mostMatches = 200
const usualLimit = 100
const mostFiles = 20_000
const largestSearched = 1024 * 1024
const longestShown = 300
/** Characters that are looked at together: each look at few of them costs as much as at many. */
const batchSize = 200_000

const pattern = z.string().min(1).max(500)
const Arguments = z.strictObject({
  text: pattern.optional().describe('The text to look for, as it stands. Give this or regex.'),
  regex: pattern.optional().describe('A JavaScript regular expression, held against each line.'),
  ignore_case: z.boolean().optional().describe('Whether upper and lower case are the same. Not given: they differ.'),
  glob: z.string().optional().describe('Which files: *.md, docs/**, src/*.{ts,tsx}. Not given: all.'),
  limit: z
    .int()
    .min(1)
    .max(mostMatches)
    .optional()
    .describe(`How many lines are shown, at most ${mostMatches}. Not given: ${usualLimit}.`),
})
const parameters = parametersOf(Arguments)

const parse = (args: Record<string, JSONType>) => {
  const parsed = argumentsOf(name, Arguments, args)
  if ((parsed.text === undefined) === (parsed.regex === undefined))
    throw Fault.use('tool/bad-arguments', `Cannot use ${name}: give either text or regex, and not both.`, {
      tool: name,
    })
  if (parsed.text?.includes('\n'))
    throw Fault.use('tool/bad-arguments', `Cannot use ${name}: it looks at one line at a time. Give one line.`, {
      tool: name,
    })
  if (parsed.glob !== undefined) globMatcher(name, parsed.glob)
  return parsed
}

interface Needs {
  root: string
  mask: (text: string) => string
  disk: Disk
  clock: Clock
}

/** The tool that finds lines in the files of the workspace. */
export const searchFiles = ({ root, mask, disk, clock }: Needs): Tool => ({
  name,
  description:
    'Finds the lines in text files of the workspace that hold a text or match a regular expression, as path:line: text. ' +
    'Files over 1 MiB, binary files, node_modules and what .gitignore names are passed over.',
  effect: 'read',
  get parameters() {
    return parameters()
  },
  repeatable: true,
  parse,
  target: (args) => parse(args).glob ?? '.',
  run: async (args, { signal }) => {
    const { text, regex, glob, ignore_case, limit = usualLimit } = parse(args)
    const matches = glob === undefined ? () => true : globMatcher(name, glob)
    await using search =
      regex === undefined
        ? textSearch(text ?? '', ignore_case ?? false)
        : regexSearch({ tool: name, source: regex, flags: ignore_case ? 'i' : '' }, { clock, signal })
    const passed = { large: 0, binary: 0, closed: 0 }
    const found: string[] = []
    let files = 0
    let more = false
    let batch: Batch = { files: [], lines: [] }
    let size = 0
    const look = async () => {
      const hits = await visibleMatches(search, batch, limit - found.length + 1, mask)
      found.push(...hits.map(({ path, line, shown }) => `${readableLine(path)}:${line}: ${cut(readable(shown))}`))
      batch = { files: [], lines: [] }
      size = 0
      more = found.length > limit
    }
    const walk = { root, disk, signal, deep: true, onClosed: () => void passed.closed++ }
    for await (const entry of entriesIn(walk, '')) {
      if (entry.kind !== 'file' || !matches(entry.path)) continue
      more = files >= mostFiles
      if (more) break
      const text = await textOfEntry(entry, disk, passed)
      if (text === null) continue
      files++
      size += text.length
      batch.files.push({ path: entry.path, start: batch.lines.length })
      for (const line of linesOf(text)) batch.lines.push(line)
      if (size > batchSize) await look()
      if (more) break
    }
    const wasCut = more
    await look()
    more ||= wasCut
    const shown = found.slice(0, limit)
    return [headline(shown.length, files, more), ...shown, ...passedOver(passed)].join('\n')
  },
})

/** The lines of several files after each other, and which of them each file begins with. */
interface Batch {
  files: { path: string; start: number }[]
  lines: string[]
}

const textOfEntry = async (
  { folder, name: file, path }: TreeEntry,
  disk: Disk,
  passed: { large: number; binary: number; closed: number },
): Promise<string | null> => {
  try {
    const read = await textIn(folder, file, path, largestSearched, disk)
    if (read.kind === 'text') return read.text
    if (read.kind === 'large' || read.kind === 'binary') passed[read.kind]++
  } catch {
    // A file that vanished, turned into a link or is closed to us; the search goes on without it.
    passed.closed++
  }
  return null
}

/** What matches only in what is masked is no match: a search must not be a way to guess a secret. */
const visibleMatches = async (search: LineSearch, batch: Batch, most: number, mask: (text: string) => string) => {
  if (batch.lines.length === 0 || most <= 0) return []
  const hits = await search.matching(batch.lines, most)
  const found = hits.map((index) => {
    const file = batch.files.findLast(({ start }) => start <= index)
    const raw = batch.lines[index] ?? ''
    return { path: file?.path ?? '', line: index - (file?.start ?? 0) + 1, raw, shown: mask(raw) }
  })
  const masked = found.filter(({ raw, shown }) => raw !== shown)
  if (masked.length === 0) return found
  const still = await search.matching(
    masked.map(({ shown }) => shown),
    masked.length,
  )
  const gone = new Set(masked.filter((_, index) => !still.includes(index)))
  return found.filter((hit) => !gone.has(hit))
}

const textSearch = (text: string, ignoreCase: boolean): LineSearch => {
  const folded = (line: string) => (ignoreCase ? line.toLowerCase() : line)
  const wanted = folded(text)
  return {
    matching: async (lines, most) => {
      const found: number[] = []
      for (let index = 0; index < lines.length && found.length < most; index++)
        if (folded(lines[index] ?? '').includes(wanted)) found.push(index)
      return found
    },
    [Symbol.asyncDispose]: async () => undefined,
  }
}

const cut = (line: string): string => (line.length > longestShown ? `${line.slice(0, longestShown)}…` : line)

const headline = (found: number, files: number, more: boolean): string => {
  const what = found === 1 ? '1 line' : `${found === 0 ? 'No' : found} lines`
  const where = files === 1 ? '1 file' : `${files} files`
  const end = more ? ' so far; there is more, so narrow the search' : ''
  return `${what} in ${where}${end}${found === 0 ? '.' : ':'}`
}

const passedOver = ({ large, binary, closed }: { large: number; binary: number; closed: number }): string[] => {
  const counts = [
    large > 0 ? `${large} over 1 MiB` : '',
    binary > 0 ? `${binary} not text` : '',
    closed > 0 ? `${closed} not readable` : '',
  ].filter((count) => count !== '')
  return counts.length === 0 ? [] : [`[passed over: ${counts.join(', ')}]`]
}
