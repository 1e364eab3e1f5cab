import { resolve } from 'node:path'
import type { Command } from 'commander'
import { Fault } from '../../domain/errors.ts'
import { examples } from '../examples.ts'
import type { Shell } from '../shell.ts'

interface Options {
  example?: boolean
}

export const addInit = (program: Command, shell: Shell): void => {
  const command = program
    .command('init')
    .description('make a folder a workspace; what is there already stays as it is')
    .argument('[dir]', 'the folder (default: the current one)')
    .option('--example', 'with a few files to try it on')
  examples(command, 'undermind init', 'undermind init ~/notes', 'undermind init demo --example')
  shell.act(command, (dir: string | undefined, options: Options) => init(shell, dir, options))
}

const init = async (shell: Shell, dir: string | undefined, options: Options): Promise<void> => {
  const { parts, givenWorkspace } = shell
  if (dir !== undefined && givenWorkspace !== undefined) {
    const sentence = 'The folder is named twice. Name it once: undermind init DIR, or undermind init -w DIR.'
    throw Fault.use('cli/wrong-use', sentence, { dir, workspace: givenWorkspace })
  }
  const folder = dir === undefined ? (givenWorkspace ?? parts.cwd) : resolve(parts.cwd, dir)
  const { root, made } = await parts.init(folder, { example: options.example === true })
  if (shell.json) return shell.print({ root, made })
  shell.tell(made.length === 0 ? `${root} is a workspace already. Nothing was changed.` : `${root} is a workspace now.`)
  for (const name of made) shell.tell(`  made ${name}`)
  shell.tell('Write what it shall keep an eye on into HEARTBEAT.md, a list item each. Then run:')
  shell.say(`  ${shell.command('start', root)}`)
}
