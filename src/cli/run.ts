import { CommanderError } from 'commander'
import { exitCodeOf, reportFailure } from './failure.ts'
import type { CliParts } from './parts.ts'
import { undermind } from './program.ts'
import { Shell } from './shell.ts'

/** Whether a program reads along, known even where the rest of the words was not understood. */
const asksForJson = (argv: readonly string[]): boolean => {
  const end = argv.indexOf('--')
  return (end === -1 ? argv : argv.slice(0, end)).includes('--json')
}

/**
 * Runs one command. `argv` are the words after the program's name. Resolves with the exit code: 0 done, 1 failed,
 * 2 wrong use, 3 nobody there to ask.
 */
export const run = async (argv: string[], parts: CliParts): Promise<number> => {
  const { program, shell } = undermind(parts)
  try {
    await program.parseAsync(argv.length === 0 ? ['--help'] : argv, { from: 'user' })
    return shell.exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode // help and the version, which were asked for
    const plain = new Shell(parts, () => ({ color: !argv.includes('--no-color') }))
    const debug = parts.env.UNDERMIND_DEBUG === '1'
    reportFailure(error, parts.io, { json: asksForJson(argv), debug, paint: plain.paint, columns: plain.columns })
    return exitCodeOf(error)
  }
}
