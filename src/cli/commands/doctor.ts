import type { Command } from 'commander'
import { ask } from '../ask.ts'
import { examples } from '../examples.ts'
import { count } from '../numbers.ts'
import { printable } from '../printable.ts'
import type { Shell } from '../shell.ts'
import { Checks } from '../views.ts'
import { wrapBehind } from '../wrap.ts'

export const addDoctor = (program: Command, shell: Shell): void => {
  const command = program.command('doctor').description('check everything a tick needs, and say how to fix it')
  examples(command, 'undermind doctor', 'undermind doctor --json')
  shell.act(command, async () => {
    const checks = await shell.withDoor((door) =>
      shell.during('Checking…', ask(door, 'subconscious.doctor', {}, Checks)),
    )
    const bad = checks.filter(({ ok }) => !ok).length
    if (shell.json) shell.print(checks)
    else {
      for (const { check, ok, found, fix } of checks) {
        const [first = '', ...rest] = wrapBehind('  ', printable(`${check}: ${found}`), shell.columns)
        shell.say(`${shell.paint(ok ? 'green' : 'redBright', ok ? '✓' : '✗')} ${first.trimStart()}`, ...rest)
        if (!ok && fix) shell.say(...wrapBehind('  → ', printable(fix), shell.columns))
      }
      shell.say(bad === 0 ? 'All is well.' : `${count(bad, 'problem')} found.`)
    }
    return bad === 0 ? 0 : 1
  })
}
