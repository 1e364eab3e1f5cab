import { printableLine } from './printable.ts'
import type { Shell } from './shell.ts'
import type { Card } from './views.ts'
import { shellWord } from './workspace.ts'

/** The commands that look at and answer a card, as a person can type them. */
export const answerCommands = (card: Card, shell: Shell, workspace = shell.workspace): string[] => {
  const id = shellWord(printableLine(card.id))
  const answers =
    card.kind === 'unknown'
      ? [`resolve ${id} --happened`, `resolve ${id} --not-happened`]
      : [`approve ${id}`, `dismiss ${id}`]
  return [`show ${id}`, ...answers].map((words) => shell.command(`approvals ${words}`, workspace))
}
