import type { Command } from 'commander'
import { answerCommands } from '../answer-commands.ts'
import { askCard, askCards } from '../ask.ts'
import { cardEntry, cardLines } from '../card-lines.ts'
import { examples } from '../examples.ts'
import { group } from '../group.ts'
import { count, wholeNumber } from '../numbers.ts'
import type { Shell } from '../shell.ts'
import type { Card } from '../views.ts'
import { addAnswers } from './approvals-answer.ts'
import { addApprove } from './approvals-approve.ts'

interface ListOptions {
  all?: boolean
  bundled?: boolean
  limit: number
}

export const addApprovals = (program: Command, shell: Shell): void => {
  const { all, list } = group(program, 'approvals', 'what waits for your answer: list, show, approve, dismiss and more')
  list
    .description('show the cards that wait, newest first')
    .option('--all', 'also those that were answered')
    .option('--bundled', 'also those beyond the first few of a day')
    .option('--limit <n>', 'at most so many', wholeNumber(1, 500), 100)
  examples(list, 'undermind approvals', 'undermind approvals list --all --limit 20', 'undermind approvals --json')
  shell.act(list, async (options: ListOptions) => {
    const cards = await shell.withDoor((door) => askCards(door, options.all ? 'all' : 'open', options.limit))
    if (shell.json) shell.print(cards)
    else shell.say(...listLines(cards, options, shell))
  })

  const show = all.command('show').description('show all of a card').argument('<id>', 'id of the card')
  examples(show, 'undermind approvals show ev_01h2x9')
  shell.act(show, async (id: string) => {
    const card = await shell.withDoor((door) => askCard(door, id))
    if (shell.json) return shell.print(card)
    shell.say(...cardLines(card, shell))
    if (card.state === 'open') shell.say('', ...answerCommands(card, shell).slice(1))
  })

  addApprove(all, shell)
  addAnswers(all, shell)
}

const listLines = (cards: readonly Card[], { bundled = false }: ListOptions, shell: Shell): string[] => {
  const isFolded = (card: Card): boolean => card.bundled && card.state === 'open' && !bundled
  const shown = cards.filter((card) => !isFolded(card))
  const folded = cards.length - shown.length
  const open = shown.find(({ state }) => state === 'open')
  if (cards.length === 0) return ['Nothing waits for you.']
  return [
    ...shown.flatMap((card, index) => [...(index === 0 ? [] : ['']), ...cardEntry(card, shell)]),
    ...(folded > 0 ? ['', `${count(folded, 'more card')} of a full day: ${shell.command('approvals --bundled')}`] : []),
    ...(open ? ['', ...answerCommands(open, shell)] : []),
  ]
}
