import { resolve } from 'node:path'
import type { Command } from 'commander'
import { Fault } from '../../domain/errors.ts'
import { examples } from '../examples.ts'
import { printableLine } from '../printable.ts'
import type { Shell } from '../shell.ts'

/** Commands that show how a file is understood, without a workspace. */
export const addParse = (program: Command, shell: Shell): void => {
  const { parts } = shell
  const heartbeat = program
    .command('heartbeat')
    .description('show how a heartbeat file is understood')
    .command('parse')
    .description('print the tasks that a file holds')
    .argument('<file>', 'a Markdown file')
  examples(heartbeat, 'undermind heartbeat parse HEARTBEAT.md', 'undermind heartbeat parse HEARTBEAT.md --json')
  shell.act(heartbeat, async (file: string) => {
    const titles = await parts.parse.heartbeat(resolve(parts.cwd, file))
    if (shell.json) return shell.print(titles)
    if (titles.length === 0) return shell.say('It holds no task. A task is a list item that is not ticked off.')
    for (const title of titles) shell.tell(`- ${printableLine(title)}`)
  })

  const decisions = program
    .command('decisions')
    .description('show how the answer of a model is understood')
    .command('parse')
    .description('print what a raw answer decides for each task')
    .argument('<file>', 'the answer, as the model gave it')
    .requiredOption('--tasks <ids>', 'ids of the tasks it was asked about, separated by commas', idsOf)
  examples(decisions, 'undermind decisions parse answer.txt --tasks t1,t2,t3 --json')
  shell.act(decisions, async (file: string, { tasks }: { tasks: string[] }) => {
    if (tasks.length === 0) {
      const sentence = 'No task is named. Give ids separated by commas: --tasks t1,t2.'
      throw Fault.use('cli/wrong-use', sentence, {})
    }
    const decided = await parts.parse.decisions(resolve(parts.cwd, file), tasks)
    if (shell.json) return shell.print(decided)
    for (const [task, decision] of Object.entries(decided))
      shell.say(`${printableLine(task)}: ${printableLine(decision)}`)
  })
}

const idsOf = (text: string): string[] =>
  text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
