import type { Command } from 'commander'
import { ask } from '../ask.ts'
import { columnsOf } from '../columns.ts'
import { examples } from '../examples.ts'
import { group } from '../group.ts'
import { printableLine } from '../printable.ts'
import type { Shell } from '../shell.ts'
import { Goal, Goals } from '../views.ts'

export const addGoals = (program: Command, shell: Shell): void => {
  const { all, list } = group(program, 'goals', 'your standing aims, which steer every judgement')
  list.description('show the goals')
  examples(list, 'undermind goals', 'undermind goals list --json')
  shell.act(list, async () => {
    const goals = await shell.withDoor((door) => ask(door, 'subconscious.goals_list', {}, Goals))
    if (shell.json) return shell.print(goals)
    if (goals.length === 0) return shell.say('There are no goals. undermind goals add "…" adds one.')
    const rows = goals.map(({ id, text }) => [printableLine(id), printableLine(text)])
    shell.say(...columnsOf(['id', 'goal'], rows, shell, 1))
  })

  const change = async (method: string, params: Record<string, unknown>, done: string): Promise<void> => {
    const goal = await shell.withDoor((door) => ask(door, method, params, Goal))
    if (shell.json) shell.print(goal)
    else shell.tell(`${done}: ${printableLine(goal.text)} (${printableLine(goal.id)})`)
  }

  const add = all.command('add').description('add a goal').argument('<text>', 'the aim, in a short text')
  examples(add, 'undermind goals add "Finish the thesis by June"')
  shell.act(add, (text: string) => change('subconscious.goals_add', { text }, 'Added'))

  const edit = all
    .command('edit')
    .description('change the words of a goal')
    .argument('<goal>', 'its id or its text')
    .argument('<text>', 'the new text')
  examples(edit, 'undermind goals edit goal_01h2 "Finish the thesis by May"')
  shell.act(edit, (goal: string, text: string) => change('subconscious.goals_update', { goal, text }, 'Changed'))

  const remove = all.command('remove').description('delete a goal').argument('<goal>', 'its id or its text')
  examples(remove, 'undermind goals remove goal_01h2')
  shell.act(remove, (goal: string) => change('subconscious.goals_remove', { goal }, 'Removed'))
}
