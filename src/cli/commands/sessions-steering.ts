import type { Command } from 'commander'
import { Fault } from '../../domain/errors.ts'
import { ask } from '../ask.ts'
import { examples } from '../examples.ts'
import { wholeNumber } from '../numbers.ts'
import { printableLine } from '../printable.ts'
import type { Shell } from '../shell.ts'
import { Directive, Directives, directiveLines } from '../steering-lines.ts'

interface Options {
  limit: number
  revoke?: string
  backTo?: string
}

/** Hangs the look at what steers the work of sessions below the sessions. */
export const addSteering = (sessions: Command, shell: Shell): void => {
  const steering = sessions
    .command('steering')
    .description('show what steers the work of sessions, and change it')
    .option('--limit <n>', 'at most so many directives', wholeNumber(1, 500), 10)
    .option('--revoke <directive>', 'take one back that holds')
    .option('--back-to <directive>', 'let an earlier one hold again')
  examples(steering, 'undermind sessions steering', 'undermind sessions steering --revoke directive_01h2')
  shell.act(steering, async ({ limit, revoke, backTo }: Options) => {
    if (revoke !== undefined && backTo !== undefined) {
      throw Fault.use('cli/wrong-use', 'Give --revoke or --back-to, not both.', {
        command: 'undermind sessions steering',
      })
    }
    if (revoke !== undefined) return change('orchestration.steering_revoke', { directive: revoke }, 'Taken back')
    if (backTo !== undefined) return change('orchestration.steering_restore', { directive: backTo }, 'Holds again')
    const directives = await shell.withDoor((door) => ask(door, 'orchestration.steering_list', { limit }, Directives))
    if (shell.json) return shell.print(directives)
    if (!directives.some(({ state }) => state === 'current'))
      shell.tell('Nothing steers the work of sessions just now.')
    shell.say(...directives.flatMap((directive) => directiveLines(directive, shell)))
  })

  const change = async (method: string, params: Record<string, unknown>, done: string): Promise<void> => {
    const directive = await shell.withDoor((door) => ask(door, method, params, Directive))
    if (shell.json) return shell.print(directive)
    shell.tell(`${done}: ${printableLine(directive.text)} (${printableLine(directive.id)})`)
  }
}
