import { z } from 'zod'
import type { Clock } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'
import { type EvaluationId, id } from '../domain/ids.ts'
import type { JSONType } from '../domain/json.ts'
import type { BeforeImage, Tool } from '../domain/tool.ts'
import { argumentsOf } from './arguments.ts'
import type { Disk } from './disk.ts'
import type { Environment } from './environment.ts'
import { gitIn } from './git.ts'
import { repositoryOf } from './git-repository.ts'
import { type DiffLine, diffLines } from './line-diff.ts'
import { parametersOf } from './parameters.ts'
import { pathNames } from './path-names.ts'
import { readable } from './readable.ts'
import { decoded, linesOf, notText, notThere, textOf } from './text-file.ts'

const name = 'diff_file'
const largestCompared = 1024 * 1024
const mostShown = 400
const mostShownBytes = 64 * 1024
const longestLine = 1000
const around = 3

const Arguments = z.strictObject({
  path: z.string().describe('The file, relative to the workspace folder.'),
  evaluation: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .optional()
    .describe('Compare with what stood there before this evaluation (ev_…) wrote it. Not given: with the last commit.'),
})
const parameters = parametersOf(Arguments)

const parse = (args: Record<string, JSONType>) => {
  const { path, ...rest } = argumentsOf(name, Arguments, args)
  return { path: pathNames(path, 'read').join('/'), ...rest }
}

/** The images that were kept before an evaluation's writes, the newest first. */
export type ImagesOf = (evaluation: EvaluationId) => readonly BeforeImage[]

interface Needs {
  root: string
  mask: (text: string) => string
  images: ImagesOf
  clock: Clock
  env: Environment
  disk: Disk
}

/** What a file is compared with: null for no file. */
interface Former {
  what: string
  text: string | null
}

/**
 * The tool that shows what changed in a file: since the last commit where the workspace has one, else since the
 * evaluation that asks began to write it; or since before an evaluation that is named.
 */
export const diffFile = (needs: Needs): Tool => ({
  name,
  description:
    'Shows the lines of a text file that came (+) and went (-) since the last git commit; without one, or with an ' +
    'evaluation named, since before that evaluation wrote the file. Credentials are left out.',
  effect: 'read',
  get parameters() {
    return parameters()
  },
  repeatable: true,
  parse,
  target: (args) => parse(args).path,
  run: async (args, run) => {
    const { path, evaluation } = parse(args)
    const now = await textOf(needs.root, path, largestCompared, needs.disk)
    const former =
      evaluation === undefined
        ? ((await committed(needs, path, run.signal)) ?? kept(needs, path, run.evaluation))
        : kept(needs, path, id<EvaluationId>(evaluation))
    if (former === null) {
      if (now === null) throw notThere(path)
      return `There is nothing to compare ${path} with: it is in no commit, and undermind has kept no former content of it.`
    }
    if (former.text === null && now === null) throw notThere(path)
    const lines = (text: string | null) => (text ? readable(needs.mask(linesOf(text).join('\n'))).split('\n') : [])
    const differences = await diffLines(lines(former.text), lines(now))
    return report(path, former, now, differences)
  },
})

const committed = async ({ root, env, clock }: Needs, path: string, signal: AbortSignal): Promise<Former | null> => {
  const git = await gitIn(root, { env, clock }).catch((error: unknown) => {
    if (error instanceof Fault && error.code === 'tool/command-missing') return null
    throw error
  })
  if (git === null || (await repositoryOf(root, git, signal)) === null) return null
  const found = await git(['cat-file', 'blob', `HEAD:./${path}`], { signal })
  return found.code === 0 ? { what: 'the last commit', text: textFrom(path, found.bytes) } : null
}

const kept = ({ images }: Needs, path: string, evaluation: EvaluationId): Former | null => {
  const image = images(evaluation).findLast((each) => each.path === path)
  if (image === undefined) return null
  return { what: `before ${evaluation}`, text: image.before === null ? null : textFrom(path, image.before) }
}

const textFrom = (path: string, bytes: Uint8Array): string => {
  const text = bytes.length > largestCompared ? null : decoded(bytes)
  if (text === null) throw notText(path)
  return text
}

const report = (path: string, former: Former, now: string | null, lines: readonly DiffLine[]): string => {
  const came = lines.filter(({ sign }) => sign === '+').length
  const went = lines.filter(({ sign }) => sign === '-').length
  if (former.text === null) return [`${path} is new, compared with ${former.what}:`, ...hunks(lines)].join('\n')
  if (now === null) return [`${path} is gone, compared with ${former.what}:`, ...hunks(lines)].join('\n')
  if (came + went === 0) return `${path} is the same as in ${former.what}.`
  return [
    `${path}, compared with ${former.what}: ${came === 1 ? '1 line' : `${came} lines`} came, ${went} went.`,
    ...hunks(lines),
  ].join('\n')
}

/** The differences with a few lines around them, each group under the line of the present file it begins at. */
const hunks = (lines: readonly DiffLine[]): string[] => {
  const near = new Set<number>()
  for (const [index, { sign }] of lines.entries())
    if (sign !== ' ') for (let at = index - around; at <= index + around; at++) near.add(at)
  const shown: string[] = []
  let bytes = 0
  let line = 1
  let before = -1
  for (const [index, { sign, text }] of lines.entries()) {
    if (near.has(index)) {
      if (before !== index - 1 || index === 0) shown.push(`@@ line ${line} @@`)
      before = index
      shown.push(sign + (text.length > longestLine ? `${text.slice(0, longestLine)}…` : text))
      bytes += Buffer.byteLength(shown.at(-1) ?? '')
      if (shown.length >= mostShown || bytes > mostShownBytes) return [...shown, '[there is more; read the file]']
    }
    if (sign !== '-') line++
  }
  return shown
}
