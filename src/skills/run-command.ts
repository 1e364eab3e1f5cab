import { resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'
import { type Clock, minute } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'
import type { JSONType } from '../domain/json.ts'
import type { Tool } from '../domain/tool.ts'
import { type AllowList, allowing, allowList } from './allow-list.ts'
import { argumentsOf } from './arguments.ts'
import { commandLine } from './command-words.ts'
import { type Environment, isProgram, programNamed, reducedEnvironment, within } from './environment.ts'
import { gitArguments } from './git-arguments.ts'
import { parametersOf } from './parameters.ts'
import { type Ended, lastOutput, runProgram } from './process.ts'
import { protection } from './protected-names.ts'
import { readable, readableLine } from './readable.ts'
import { holdsSecrets } from './secret-names.ts'

const name = 'run_command'
const limitMs = 2 * minute
const shownBytes = 16 * 1024
const toldBytes = 4 * 1024
const mostOutput = 64 * 1024 * 1024

const Arguments = z.strictObject({
  command: z
    .array(z.string().max(4000))
    .min(1)
    .max(64)
    .describe('The program and each of its arguments, one by one: ["git", "log", "--oneline"]. No shell reads them.'),
})
const parameters = parametersOf(Arguments)

const parse = (args: Record<string, JSONType>) => {
  const { command } = argumentsOf(name, Arguments, args)
  if (command.some((word) => /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(word)))
    throw Fault.use(
      'tool/bad-arguments',
      `Cannot use ${name}: an argument holds a control character. Give plain text.`,
      {
        tool: name,
      },
    )
  return { command }
}

interface Needs {
  root: string
  /** The entries of `tools.commands`. */
  commands: readonly string[]
  mask: (text: string) => string
  clock: Clock
  env: Environment
  /** Of the system it runs on. */
  platform?: NodeJS.Platform
}

/** The tool that runs commands which the user has listed in `tools.commands`. */
export const runCommand = ({ root, commands, mask, clock, env, platform = process.platform }: Needs): Tool => {
  const list = allowList(commands)
  return {
    name,
    description: `Runs a command in the workspace folder, for at most 2 minutes, and tells the end of what it wrote. ${allowedWords(list)}`,
    effect: 'write',
    get parameters() {
      return parameters()
    },
    repeatable: false,
    parse,
    target: (args) => commandLine(parse(args).command),
    run: async (args, { signal }) => {
      const { command } = parse(args)
      const shown = readableLine(mask(commandLine(command)))
      if (platform === 'win32') throw refused(shown, 'commands are not run on Windows yet')
      const found = allowing(list, command)
      if (found === null) throw refused(shown, `tools.commands does not allow it${aboutProblems(list)}`)
      for (const argument of found.free) await refuseOutside(root, argument, shown)
      const surroundings = await reducedEnvironment(env, root)
      const file = await programFor(command[0] ?? '', surroundings, root)
      const output = lastOutput(shownBytes)
      const ended = await runProgram({
        file,
        args: isGit(command[0]) ? gitArguments(command.slice(1)) : command.slice(1),
        cwd: root,
        env: surroundings,
        out: output,
        err: output,
        clock,
        signal,
        limitMs,
        mostOutput,
      })
      const { text, left } = output.text()
      return told(shown, ended, mask(readable(stripVTControlCharacters(text))).trimEnd(), left)
    },
  }
}

const allowedWords = ({ commands }: AllowList): string =>
  commands.length === 0
    ? 'None is allowed by the settings.'
    : `Allowed are, with * for one argument that is no option and ** for any more: ${commands
        .slice(0, 50)
        .map(({ entry }) => `“${readableLine(entry)}”`)
        .join(', ')}.`

const isGit = (program: string | undefined): boolean => /(?:^|\/)git$/.test(program ?? '')

const refused = (command: string, why: string): Fault =>
  new Fault(
    'tool/command-refused',
    `Did not run ${command}: ${why}. Only the user can allow commands, in undermind.toml.`,
    {
      command,
    },
  )

const aboutProblems = ({ problems }: AllowList): string =>
  problems.length === 0
    ? ''
    : `, and ${problems.length === 1 ? 'an entry' : `${problems.length} entries`} of it cannot be used`

/** What a star stands for may name nothing that tools may not touch, nor lead out of the workspace. */
const refuseOutside = async (root: string, argument: string, shown: string): Promise<void> => {
  const pieces = argument.split(/[\\/:=,@]/)
  const climbs = pieces.some((piece) => /^\.{2,}$/.test(piece.normalize('NFKC')))
  // The two slashes of an address are none of a path.
  const isAbsolute = /(?:^|[=:,])(?:[/\\](?!\/)|~|[a-z]:[/\\])/i.test(argument)
  const real = climbs || isAbsolute ? null : await within(root, resolve(root, argument))
  if (real === null) throw refused(shown, 'an argument of it leads out of the workspace')
  for (const piece of [...pieces, ...real.split(/[\\/]/)]) {
    const why = holdsSecrets(piece) ? 'files of this name hold keys or passwords' : protection(piece, 'read')
    if (why !== null) throw refused(shown, `an argument of it names what no tool may use: ${why}`)
  }
}

/** A program with a slash in its name is the one that the entry names; any other is looked for outside the workspace. */
const programFor = async (program: string, surroundings: Record<string, string>, root: string): Promise<string> => {
  const file = program.includes('/') ? resolve(root, program) : await programNamed(program, surroundings, root)
  if (file === null || !(await isProgram(file)))
    throw new Fault(
      'tool/command-missing',
      `There is no program ${program} here. Install it, or correct tools.commands.`,
      {
        program,
      },
    )
  return file
}

const told = (command: string, { code, signal, stopped }: Ended, output: string, left: number): string => {
  const tail = (text: string, cut: number) =>
    text === '' ? ' It wrote nothing.' : `\n${cut > 0 ? `[${cut} bytes before this are left out]\n` : ''}${text}`
  if (code === 0 && stopped === null) return `${command} ended well.${tail(output, left)}`
  const short = output.slice(-toldBytes)
  const rest = tail(short, left + Buffer.byteLength(output) - Buffer.byteLength(short))
  const data = { command, code, signal, output }
  switch (stopped) {
    case 'aborted':
      throw new Fault('tool/command-stopped', `${command} was stopped. What it had done by then stands.${rest}`, data)
    case 'late':
      throw new Fault('tool/command-stopped', `${command} was stopped: it ran longer than 2 minutes.${rest}`, data)
    case 'flood':
      throw new Fault('tool/command-stopped', `${command} was stopped: it wrote more than 64 MiB.${rest}`, data)
    case null: {
      const how = code === null ? `was killed by ${signal}` : `ended with code ${code}`
      throw new Fault('tool/command-failed', `${command} ${how}.${rest}`, data)
    }
    default:
      return stopped satisfies never
  }
}
