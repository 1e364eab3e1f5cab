import { Argument, type Command } from 'commander'
import { bashCompletion, completionNodes, fishCompletion, zshCompletion } from '../completion-words.ts'
import { examples } from '../examples.ts'
import type { Shell } from '../shell.ts'

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }

export const addCompletion = (program: Command, shell: Shell): void => {
  const command = program
    .command('completion')
    .description('print what makes a shell complete these commands')
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(Object.keys(scripts)))
  examples(command, 'eval "$(undermind completion bash)"', 'undermind completion fish | source')
  shell.act(command, (name: keyof typeof scripts) => {
    const script = scripts[name](completionNodes(program))
    if (shell.json) shell.print({ shell: name, script })
    else shell.parts.io.out(script)
  })
}
