import type { Command } from 'commander'
import { ask } from '../ask.ts'
import { columnsOf } from '../columns.ts'
import { examples } from '../examples.ts'
import { count } from '../numbers.ts'
import { printableLine } from '../printable.ts'
import type { Shell } from '../shell.ts'
import { localTime } from '../times.ts'
import { Steps } from '../views.ts'

export const addReplay = (program: Command, shell: Shell): void => {
  const command = program
    .command('replay')
    .description('run an evaluation again from its journal, without any effect, and compare')
    .argument('<evaluation>', 'its id, as undermind log shows it')
  examples(command, 'undermind replay ev_01h2x9')
  shell.act(command, async (evaluation: string) => {
    const steps = await shell.withDoor((door) => ask(door, 'subconscious.replay', { evaluation }, Steps))
    const differing = steps.filter(({ recorded, replayed }) => recorded !== replayed).length
    if (shell.json) shell.print(steps)
    else {
      const rows = steps.map(({ version, at, event, recorded, replayed }) => [
        String(version),
        localTime(at, shell.now()),
        printableLine(event),
        printableLine(recorded),
        recorded === replayed ? 'the same' : printableLine(replayed),
      ])
      shell.say(...columnsOf(['step', 'time', 'event', 'was', 'replayed'], rows, shell, 3))
      shell.say(
        differing === 0
          ? 'It replays exactly.'
          : `It replays differently at ${count(differing, 'step')}: the chart has changed since.`,
      )
    }
    return differing === 0 ? 0 : 1
  })
}
