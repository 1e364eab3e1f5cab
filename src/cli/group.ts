import type { Command } from 'commander'
import { Fault } from '../domain/errors.ts'
import { didYouMean } from './nearest.ts'

/** A command of commands; by itself it lists. */
export const group = (program: Command, name: string, description: string): { all: Command; list: Command } => {
  const all = program.command(name).description(description)
  const list = all.command('list', { isDefault: true })
  // Whatever is no command lands here, as an argument of the list.
  list.allowExcessArguments().hook('preAction', () => {
    const [given] = list.args
    if (given === undefined) return
    const known = all.commands.map((command) => command.name())
    const sentence = `Unknown command '${given}'.${didYouMean(given, known)} undermind ${name} --help shows how it is used.`
    throw Fault.use('cli/wrong-use', sentence, { command: `undermind ${name}` })
  })
  return { all, list }
}
