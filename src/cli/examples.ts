import type { Command } from 'commander'

/** Shows below a command's help how it is typed. */
export const examples = (command: Command, ...lines: string[]): Command =>
  command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`)
