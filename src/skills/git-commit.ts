import { z } from 'zod'
import type { Clock } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'
import type { JSONType } from '../domain/json.ts'
import type { Tool, ToolRun } from '../domain/tool.ts'
import { argumentsOf } from './arguments.ts'
import { commitKey, hasCommit, messageWith } from './commit-key.ts'
import type { Disk } from './disk.ts'
import type { Environment } from './environment.ts'
import { gitIn } from './git.ts'
import { inTurn } from './in-turn.ts'
import { makeCommit } from './make-commit.ts'
import { parametersOf } from './parameters.ts'
import { pathNames } from './path-names.ts'
import { refuseSecret } from './text-file.ts'

const name = 'git_commit'
const longestMessage = 2000

const Arguments = z.strictObject({
  message: z
    .string()
    .trim()
    .min(1)
    .max(longestMessage)
    .describe('What the commit does and why; its first line is a title.'),
  paths: z
    .array(z.string())
    .min(1)
    .max(100)
    .describe('The files to commit, relative to the workspace folder; one that is gone is committed as removed.'),
})
const parameters = parametersOf(Arguments)

const parse = (args: Record<string, JSONType>) => {
  const { message, paths } = argumentsOf(name, Arguments, args)
  const refuse = (why: string) =>
    Fault.use('tool/bad-arguments', `Cannot use ${name}: the message ${why}.`, { tool: name })
  if (/[^\P{Cc}\n\t]|[\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(message)) throw refuse('holds a control character')
  if (commitKey.test(message)) throw refuse('holds a line Undermind-Key, which only undermind writes')
  const confined = paths.map((path) => pathNames(path, 'read').join('/'))
  for (const path of confined) refuseSecret(path)
  return { message, paths: [...new Set(confined)] }
}

interface Needs {
  root: string
  clock: Clock
  env: Environment
  disk: Disk
}

/** The tool that commits files of a workspace which is itself a git repository. */
export const gitCommit = ({ root, clock, env, disk }: Needs): Tool => ({
  name,
  description:
    'Commits the named files as they stand now, and nothing else, to the git repository that the workspace is. No hook ' +
    'or other program of the repository runs.',
  effect: 'write',
  get parameters() {
    return parameters()
  },
  repeatable: false,
  parse,
  // The same for every commit, so that a task's own words ("and commit it") can name it.
  target: () => 'git commit',
  run: async (args, run) => {
    const { message, paths } = parse(args)
    return inTurn(root, async () => {
      const git = await gitIn(root, { env, clock })
      // The same piece of work may be tried again when nobody could tell whether it had been done.
      if (await hasCommit(git, run.key).catch(() => false)) return 'This commit was made already.'
      return makeCommit({ root, git, disk, signal: run.signal, paths, message: messageWith(message, run.key) })
    })
  },
  check: async (_args, run) => happened(run, root, env, clock),
})

const happened = async ({ key }: ToolRun, root: string, env: Environment, clock: Clock) => {
  try {
    return (await hasCommit(await gitIn(root, { env, clock }), key)) ? 'happened' : 'notHappened'
  } catch {
    // A repository that cannot be looked at proves nothing either way; the user is asked.
    return 'unknown'
  }
}
