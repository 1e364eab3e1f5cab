import type { Command } from 'commander'
import { Fault } from '../../domain/errors.ts'
import { examples } from '../examples.ts'
import { didYouMean } from '../nearest.ts'
import type { Shell } from '../shell.ts'

export const addHelp = (program: Command, shell: Shell): void => {
  const command = program.command('help').description('show how a command is used').argument('[command...]')
  examples(command, 'undermind help', 'undermind help tasks add')
  shell.act(command, (words: string[]) => {
    let found = program
    for (const word of words) {
      const next = found.commands.find((one) => one.name() === word)
      if (next === undefined) {
        const known = found.commands.map((one) => one.name())
        const sentence = `Unknown command '${words.join(' ')}'.${didYouMean(word, known)} undermind help shows all.`
        throw Fault.use('cli/wrong-use', sentence, { command: words })
      }
      found = next
    }
    found.outputHelp()
  })
}
