import type { Command } from 'commander'
import { examples } from '../examples.ts'
import { printableLine } from '../printable.ts'
import type { Shell } from '../shell.ts'

export const addTasksIntent = (tasks: Command, shell: Shell): void => {
  const command = tasks
    .command('intent')
    .description('show whether titles are understood as read or write; titles come on standard input, a line each')
  examples(command, 'echo "Email the team" | undermind tasks intent', 'undermind tasks intent --json < titles.txt')
  shell.act(command, async () => {
    const titles = linesOf(await shell.parts.io.stdin())
    const intents = titles.map((title) => (title.trim() === '' ? 'read' : shell.parts.parse.intent(title)))
    if (shell.json) return shell.print(intents)
    shell.say(...titles.map((title, index) => `${(intents[index] ?? '').padEnd(6)} ${printableLine(title)}`.trimEnd()))
  })
}

/** Every line, empty ones too: an answer stands for each. What follows the last line end is no line. */
const linesOf = (text: string): string[] => {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}
