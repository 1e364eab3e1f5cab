import { type Command, Option } from 'commander'
import { Fault } from '../../domain/errors.ts'
import { ask } from '../ask.ts'
import { examples } from '../examples.ts'
import { group } from '../group.ts'
import { wholeNumber } from '../numbers.ts'
import type { Shell } from '../shell.ts'
import { taskLines, taskTable } from '../task-lines.ts'
import { Task, Tasks } from '../views.ts'
import { addTasksIntent } from './tasks-intent.ts'

interface Options {
  title?: string
  schedule?: string
  intent?: string
  input?: string[]
  onlyIfChanged?: boolean
  catchUp?: string
  maxLateness?: number
}

const mostMinutes = 366 * 24 * 60

export const addTasks = (program: Command, shell: Shell): void => {
  const { all, list } = group(program, 'tasks', 'standing tasks: list, add, edit, switch on and off, remove')
  list.description('show the tasks')
  examples(list, 'undermind tasks', 'undermind tasks list --json')
  shell.act(list, async () => {
    const tasks = await shell.withDoor((door) => ask(door, 'subconscious.tasks_list', {}, Tasks))
    if (shell.json) shell.print(tasks)
    else shell.say(...taskTable(tasks, shell))
  })

  const add = withShape(all.command('add').description('add a task').argument('<title>', 'what to do, in your words'))
  examples(
    add,
    'undermind tasks add "Check urgent mail"',
    'undermind tasks add "Remind me of the standup" --schedule "0 9 * * 1-5"',
    'undermind tasks add "Summarize my week" --schedule "weekly fri 17:00"',
    'undermind tasks add "Watch the inbox" --input "inbox/**"',
  )
  shell.act(add, (title: string, options: Options) =>
    change(shell, 'subconscious.tasks_add', { title, ...paramsOf(options) }, 'Added'),
  )

  const edit = withShape(all.command('edit').description('change a task').argument('<task>', ofTask))
    .option('--title <text>', 'what to do')
    .option('--no-only-if-changed', 'at its time whether or not its inputs have changed')
  examples(
    edit,
    'undermind tasks edit task_01h2 --schedule "every 2h"',
    'undermind tasks edit task_01h2 --intent write',
  )
  shell.act(edit, (task: string, options: Options) => {
    const params = paramsOf(options)
    if (Object.keys(params).length === 0) {
      const sentence = 'Nothing is named that should change. undermind tasks edit --help shows what can.'
      throw Fault.use('cli/wrong-use', sentence, { task })
    }
    return change(shell, 'subconscious.tasks_update', { task, ...params }, 'Changed')
  })

  for (const [name, enabled, done] of [
    ['enable', true, 'Enabled'],
    ['disable', false, 'Disabled'],
  ] as const) {
    const command = all
      .command(name)
      .description(enabled ? 'switch a task on, also one that was paused' : 'switch a task off; its history stays')
      .argument('<task>', ofTask)
    examples(command, `undermind tasks ${name} task_01h2`)
    shell.act(command, (task: string) => change(shell, 'subconscious.tasks_update', { task, enabled }, done))
  }

  const remove = all
    .command('remove')
    .description('delete a task of yours; its history stays')
    .argument('<task>', ofTask)
  examples(remove, 'undermind tasks remove task_01h2')
  shell.act(remove, (task: string) => change(shell, 'subconscious.tasks_remove', { task }, 'Removed'))

  addTasksIntent(all, shell)
}

const ofTask = 'its id, a beginning of it, or its title'

const withShape = (command: Command): Command =>
  command
    .option(
      '--schedule <schedule>',
      'when: every-tick, once, every 30m, daily 09:00, weekly mon 09:00, five cron fields, or JSON',
    )
    .addOption(new Option('--intent <intent>', 'whether it may have effects').choices(['read', 'write']))
    .option('--input <glob...>', 'what it looks at: sources, or patterns of files (default: everything)')
    .option('--only-if-changed', 'at its time only if its inputs have changed')
    .addOption(new Option('--catch-up <how>', 'what becomes of a missed run').choices(['once', 'skip']))
    .option('--max-lateness <minutes>', 'how late a missed run may still be made', wholeNumber(1, mostMinutes))

const paramsOf = ({ title, schedule, intent, input, onlyIfChanged, catchUp, maxLateness }: Options) => ({
  ...(title !== undefined && { title }),
  ...(schedule !== undefined && { schedule: scheduleOf(schedule) }),
  ...(intent !== undefined && { intent }),
  ...(input !== undefined && { inputs: input }),
  ...(onlyIfChanged !== undefined && { only_if_changed: onlyIfChanged }),
  ...(catchUp !== undefined && { catch_up: catchUp }),
  ...(maxLateness !== undefined && { max_lateness_minutes: maxLateness }),
})

const scheduleOf = (given: string): unknown => {
  if (!given.trim().startsWith('{')) return given
  try {
    return JSON.parse(given) as unknown
  } catch {
    const sentence = `Cannot read the schedule ${given}: it begins like JSON and is none. Quote it for your shell, or give it in words.`
    throw Fault.use('cli/wrong-use', sentence, { schedule: given })
  }
}

const change = async (shell: Shell, method: string, params: Record<string, unknown>, done: string): Promise<void> => {
  const task = await shell.withDoor((door) => ask(door, method, params, Task))
  if (shell.json) shell.print(task)
  else shell.say(...taskLines(task, done, shell))
}
