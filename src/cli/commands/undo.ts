import type { Command } from 'commander'
import { ask } from '../ask.ts'
import { examples } from '../examples.ts'
import { printableLine } from '../printable.ts'
import type { Shell } from '../shell.ts'
import { Undone } from '../views.ts'

interface Options {
  force?: boolean
}

const words: Record<string, string> = {
  restored: 'is as it was before',
  removed: 'is gone again: there was none before',
  unchanged: 'was as before already',
}

export const addUndo = (program: Command, shell: Shell): void => {
  const command = program
    .command('undo')
    .description('take back what an evaluation changed in files')
    .argument('<evaluation>', 'its id, as undermind log shows it')
    .option('--force', 'also where a file has changed since; what stands there now is kept beside it')
  examples(command, 'undermind undo ev_01h2x9', 'undermind undo ev_01h2x9 --force')
  shell.act(command, async (evaluation: string, { force = false }: Options) => {
    const undone = await shell.withDoor((door) => ask(door, 'subconscious.undo', { evaluation, force }, Undone))
    if (shell.json) return shell.print(undone)
    if (undone.length === 0) return shell.say('It changed no file.')
    for (const { path, outcome, copy } of undone) {
      const kept = copy ? ` What stood there is kept in ${printableLine(copy)}.` : ''
      shell.tell(`${printableLine(path)} ${words[outcome] ?? outcome}.${kept}`)
    }
  })
}
