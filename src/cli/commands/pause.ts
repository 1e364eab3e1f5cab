import type { Command } from 'commander'
import { ask } from '../ask.ts'
import { examples } from '../examples.ts'
import { printableLine } from '../printable.ts'
import type { Shell } from '../shell.ts'
import { Instances } from '../views.ts'

interface Options {
  world: string
}

const what = {
  pause: 'stop ticking until resumed; waiting cards can still be answered',
  resume: 'go on ticking',
}

export const addPause = (program: Command, shell: Shell): void => {
  for (const name of ['pause', 'resume'] as const) {
    const command = program.command(name).description(what[name]).option('--world <id>', 'the world, or all', 'all')
    examples(command, `undermind ${name}`, `undermind ${name} --world memory`)
    shell.act(command, async ({ world }: Options) => {
      const method = `subconscious.${name}`
      const { instances } = await shell.withDoor((door) => ask(door, method, { kind: world }, Instances))
      if (shell.json) return shell.print(instances.map(({ instance, state }) => ({ id: instance, state })))
      for (const { instance, state } of instances) shell.say(`${printableLine(instance)} is ${printableLine(state)}.`)
    })
  }
}
