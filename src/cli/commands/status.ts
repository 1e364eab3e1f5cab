import type { Command } from 'commander'
import { ask } from '../ask.ts'
import { examples } from '../examples.ts'
import type { Shell } from '../shell.ts'
import { statusLines, statusObject } from '../status-lines.ts'
import { Status } from '../views.ts'

export const addStatus = (program: Command, shell: Shell): void => {
  const command = program.command('status').description('show how it stands: worlds, tasks, what waits, what is wrong')
  examples(command, 'undermind status', 'undermind status --json')
  shell.act(command, () =>
    shell.withDoor(async (door) => {
      const status = await ask(door, 'subconscious.status', {}, Status)
      if (shell.json) shell.print({ ...statusObject(status), running: door.daemon })
      else shell.say(...statusLines(status, door.daemon, shell))
    }),
  )
}
