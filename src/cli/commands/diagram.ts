import type { Command } from 'commander'
import { Fault } from '../../domain/errors.ts'
import { examples } from '../examples.ts'
import { didYouMean } from '../nearest.ts'
import type { Shell } from '../shell.ts'

export const addDiagram = (program: Command, shell: Shell): void => {
  const command = program
    .command('diagram')
    .description('print the state chart of an actor as Mermaid')
    .argument('[name]', 'which; without it, what there is')
  examples(command, 'undermind diagram', 'undermind diagram evaluation > evaluation.mmd')
  shell.act(command, async (name: string | undefined) => {
    const diagrams = await shell.parts.diagrams()
    const names = Object.keys(diagrams)
    if (name === undefined) return shell.json ? shell.print(diagrams) : shell.say(...names)
    const mermaid = Object.hasOwn(diagrams, name) ? diagrams[name] : undefined
    if (mermaid === undefined) {
      const sentence = `There is no chart ${name}.${didYouMean(name, names)} There are ${names.join(', ')}.`
      throw Fault.use('cli/diagram-unknown', sentence, { name, names })
    }
    if (shell.json) shell.print({ name, mermaid })
    else shell.parts.io.out(mermaid.endsWith('\n') ? mermaid : `${mermaid}\n`)
  })
}
