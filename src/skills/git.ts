import { type Clock, second } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'
import { type Environment, programNamed, reducedEnvironment } from './environment.ts'
import { gitArguments } from './git-arguments.ts'
import { runProgram, wholeOutput } from './process.ts'
import { readableLine } from './readable.ts'

export interface GitAnswer {
  code: number | null
  out: string
  /** As it came, for contents. */
  bytes: Buffer
  /** What git says is wrong, on one line. */
  problem: string
}

export interface GitCall {
  input?: string | Uint8Array
  /** Settings that hold for this call alone. */
  settings?: readonly string[]
  env?: Record<string, string>
  /** Not given: it is not broken off. */
  signal?: AbortSignal
}

/** Git in a workspace folder; each call is an answer, whatever its exit code. */
export type Git = (args: readonly string[], call?: GitCall) => Promise<GitAnswer>

const limitMs = 60 * second
const mostOutput = 16 * 1024 * 1024

/** Who makes a commit may also be said by the surroundings. */
const identity = ['GIT_AUTHOR_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_COMMITTER_NAME', 'GIT_COMMITTER_EMAIL']

/**
 * Git as the tools use it: it starts no other program and reaches no other machine. Fault `tool/command-missing` when it
 * is not installed, `tool/git-failed` when it had to be stopped.
 */
export const gitIn = async (root: string, { env, clock }: { env: Environment; clock: Clock }): Promise<Git> => {
  const surroundings = await reducedEnvironment(env, root)
  const file = await programNamed('git', surroundings, root)
  if (file === null) throw new Fault('tool/command-missing', 'git is not installed here. Install it first.')
  for (const name of identity) {
    const value = env[name]
    if (value !== undefined) surroundings[name] = value
  }
  Object.assign(surroundings, {
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_LITERAL_PATHSPECS: '1',
    // A clone that fetches what it lacks would start a program of the repository's choice.
    GIT_ALLOW_PROTOCOL: 'none',
  })
  return async (args, { input, settings = [], env: more = {}, signal } = {}) => {
    const out = wholeOutput()
    const err = wholeOutput()
    const ended = await runProgram({
      file,
      args: [...settings.flatMap((setting) => ['-c', setting]), ...gitArguments(args)],
      cwd: root,
      env: { ...surroundings, ...more },
      input: typeof input === 'string' ? Buffer.from(input) : (input ?? new Uint8Array()),
      out,
      err,
      clock,
      ...(signal && { signal }),
      limitMs,
      mostOutput,
    })
    if (ended.stopped === 'aborted') throw new Fault('tool/aborted', 'Stopped before anything was changed.')
    if (ended.stopped !== null) throw gitFailed(args[0] ?? '', 'it took too long or answered too much')
    return { code: ended.code, out: out.text(), bytes: out.bytes(), problem: problemIn(err.text()) }
  }
}

/** What git says is wrong, without what it advises. */
const problemIn = (said: string): string => {
  const lines = said.trim().split('\n')
  return readableLine((lines.find((line) => /^(?:fatal|error):/.test(line)) ?? lines[0] ?? '').slice(0, 300))
}

export const gitFailed = (command: string, problem: string): Fault =>
  new Fault('tool/git-failed', `git ${command} failed: ${problem}. Look at the repository with git yourself.`, {
    command,
    problem,
  })

/** What git answered, when it did what it was asked for; else Fault `tool/git-failed`. */
export const done = (command: string, { code, out, problem }: GitAnswer): string => {
  if (code !== 0) throw gitFailed(command, problem === '' ? `it ended with code ${code}` : problem)
  return out.trimEnd()
}
