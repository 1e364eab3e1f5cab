import type { Command } from 'commander'
import { Fault } from '../../domain/errors.ts'
import type { ToolCall } from '../../domain/escalation.ts'
import type { Door } from '../../rpc/door.ts'
import { answerAll, type CardAnswered, eachCard } from '../answers.ts'
import { ask, askCard, askCards } from '../ask.ts'
import { cardLines } from '../card-lines.ts'
import { editedCalls } from '../edited-calls.ts'
import { examples } from '../examples.ts'
import { count } from '../numbers.ts'
import { rowLines } from '../row-lines.ts'
import type { Shell } from '../shell.ts'
import { Answered, type Card } from '../views.ts'

/** From where an answer is given; kept with it. */
export const by = 'cli'

interface Options {
  all?: boolean
  digest?: string
  edit?: string
}

export const addApprove = (approvals: Command, shell: Shell): void => {
  const command = approvals
    .command('approve')
    .description('go ahead: carry out exactly what cards show')
    .argument('[id...]', 'ids of cards')
    .option('--all', 'every card that waits, except those in which external content took part')
    .option('--digest <digest>', 'only if the card is still the one with this digest')
    .option('--edit <json>', 'with other arguments: an object of those to replace, or a list of calls')
  examples(
    command,
    'undermind approvals approve ev_01h2x9',
    'undermind approvals approve ev_01h2x9 --edit \'{"text":"- 2 April: rent"}\'',
    'undermind approvals approve ev_01h2x9 --digest 3f9c --json',
    'undermind approvals approve --all',
  )
  shell.act(command, (ids: string[], options: Options) => {
    assertClear(ids, options)
    return options.all ? approveAll(shell) : eachCard(shell, ids, (door, id) => approveOne(shell, door, id, options))
  })
}

const assertClear = (ids: readonly string[], { all, digest, edit }: Options): void => {
  const wrong = (sentence: string): Fault => Fault.use('cli/wrong-use', sentence, { ids })
  if (all && ids.length > 0) throw wrong('Name cards or say --all, not both.')
  if (!all && ids.length === 0)
    throw wrong('Name the cards to approve, or say --all. undermind approvals shows what waits.')
  if (digest === undefined && edit === undefined) return
  if (all || ids.length > 1) throw wrong('--digest and --edit are of one card: name that one alone.')
}

const approveOne = async (shell: Shell, door: Door, id: string, options: Options): Promise<CardAnswered> => {
  // Somebody at a terminal approves what they have just been shown; a program, what it names or what there is.
  if (options.digest !== undefined && options.edit === undefined) return approve(shell, door, id, options.digest)
  const card = await askCard(door, id)
  const calls = options.edit === undefined ? undefined : editedCalls(card, options.edit)
  return approveShown(shell, door, card, options.digest ?? card.digest, calls)
}

const approveShown = (
  shell: Shell,
  door: Door,
  card: Card,
  digest: string,
  calls?: ToolCall[],
): Promise<CardAnswered> => {
  if (shell.isForPerson) shell.say(...cardLines(card, shell), '')
  return approve(shell, door, card.id, digest, calls)
}

const approve = async (
  shell: Shell,
  door: Door,
  id: string,
  digest: string,
  calls?: ToolCall[],
): Promise<CardAnswered> => {
  const params = { id, digest, ...(calls && { calls }), by, wait: true }
  const answered = await shell.during('Carrying out…', ask(door, 'subconscious.escalations_approve', params, Answered))
  const { outcome } = answered
  if (!shell.json) {
    if (outcome) shell.say(...rowLines(outcome, shell, { whole: true }))
    else shell.tell(`${id} is approved.`)
  }
  return { result: answered, isDone: outcome === null || outcome === undefined || outcome.state === 'acted' }
}

const most = 500

/** Why a card is answered only by itself; null when it may be answered with others. */
const leftBecause = (card: Card): string | null => {
  if (card.external) return 'external content took part'
  if (card.kind === 'unknown') return 'it may have happened already'
  return card.kind === 'confirmWrite' ? 'it gives a lasting permission' : null
}

const approveAll = (shell: Shell): Promise<number> =>
  shell.withDoor(async (door) => {
    const cards = await askCards(door, 'open', most)
    const byId = new Map(cards.filter((card) => leftBecause(card) === null).map((card) => [card.id, card]))
    const left = cards.flatMap((card) => {
      const because = leftBecause(card)
      return because === null ? [] : [{ evaluation: card.id, state: card.state, left: because }]
    })
    const code = await answerAll(
      shell,
      door,
      [...byId.keys()],
      (_, id) => approveShown(shell, door, byId.get(id)!, byId.get(id)!.digest),
      left,
    )
    if (shell.json) return code
    if (cards.length === 0) shell.say('Nothing waits for you.')
    if (left.length > 0) shell.tell(`${count(left.length, 'card')} left for you to look at and to name:`)
    for (const { evaluation, left: because } of left) shell.tell(`  ${evaluation}: ${because}`)
    return code
  })
