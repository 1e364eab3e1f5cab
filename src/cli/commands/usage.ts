import { type Command, Option } from 'commander'
import { UsageKey } from '../../domain/usage.ts'
import { ask } from '../ask.ts'
import { examples } from '../examples.ts'
import { wholeNumber } from '../numbers.ts'
import type { Shell } from '../shell.ts'
import { usageLines } from '../usage-lines.ts'
import { UsageSummary } from '../views.ts'

interface Options {
  days: number
  by: UsageKey
}

export const addUsage = (program: Command, shell: Shell): void => {
  const command = program
    .command('usage')
    .description('show what models were asked and used, what it cost and what is left of the budget')
    .option('--days <n>', 'of so many days, today being the last', wholeNumber(1, 400), 7)
    .addOption(new Option('--by <what>', 'told apart by what').choices(UsageKey.options).default('day'))
  examples(command, 'undermind usage', 'undermind usage --days 30 --by task', 'undermind usage --json')
  shell.act(command, ({ days, by }: Options) =>
    shell.withDoor(async (door) => {
      const summary = await ask(door, 'usage.summary', { days, by }, UsageSummary)
      if (shell.json) shell.print(summary)
      else shell.say(...usageLines(summary, shell))
    }),
  )
}
