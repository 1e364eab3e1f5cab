import { type Command, Option } from 'commander'
import { z } from 'zod'
import { Fault } from '../../domain/errors.ts'
import { eachCard } from '../answers.ts'
import { ask } from '../ask.ts'
import { examples } from '../examples.ts'
import { printableLine } from '../printable.ts'
import type { Shell } from '../shell.ts'
import { by } from './approvals-approve.ts'

const Answered = z.looseObject({ evaluation: z.string() })

/** The answers other than yes. */
export const addAnswers = (approvals: Command, shell: Shell): void => {
  const answer = async (method: string, params: Record<string, unknown>, done: string): Promise<void> => {
    const answered = await shell.withDoor((door) => ask(door, method, params, Answered))
    if (shell.json) shell.print(answered)
    else shell.tell(`${printableLine(answered.evaluation)} ${done}`)
  }

  const dismiss = approvals
    .command('dismiss')
    .description('skip what cards propose; nothing is done')
    .argument('<id...>', 'ids of cards')
  examples(dismiss, 'undermind approvals dismiss ev_01h2x9')
  shell.act(dismiss, (ids: string[]) =>
    eachCard(shell, ids, async (door, id) => {
      const answered = await ask(door, 'subconscious.escalations_dismiss', { id, by }, Answered)
      if (!shell.json) shell.tell(`${printableLine(answered.evaluation)} is skipped. Nothing was done.`)
      return { result: answered, isDone: true }
    }),
  )

  const respond = approvals
    .command('respond')
    .description('send words back: the proposal is thought over again')
    .argument('<id>', 'id of the card')
    .argument('<text>', 'what to consider')
  examples(respond, 'undermind approvals respond ev_01h2x9 "Only the first two dates"')
  shell.act(respond, (id: string, text: string) =>
    answer('subconscious.escalations_respond', { id, text, by }, 'is thought over again, with your words.'),
  )

  const resolve = approvals
    .command('resolve')
    .description('say whether an interrupted action happened')
    .argument('<id>', 'id of the card')
    .addOption(new Option('--happened', 'it did: it counts as done').conflicts('notHappened'))
    .option('--not-happened', 'it did not: you are asked again whether to do it')
  examples(resolve, 'undermind approvals resolve ev_01h2x9 --happened')
  shell.act(resolve, (id: string, options: { happened?: boolean; notHappened?: boolean }) => {
    const happened = options.happened === true
    if (!happened && !options.notHappened) {
      const sentence = 'Say which it is: --happened or --not-happened.'
      throw Fault.use('cli/wrong-use', sentence, { id })
    }
    const done = happened ? 'is marked as done.' : 'did not happen; the card waits for your answer.'
    return answer('subconscious.escalations_resolve', { id, happened, by }, done)
  })

  const retry = approvals
    .command('retry')
    .description('ask again about an approved action that failed')
    .argument('<id>', 'id of the card')
  examples(retry, 'undermind approvals retry ev_01h2x9')
  shell.act(retry, (id: string) =>
    answer('subconscious.escalations_retry', { id }, 'waits for your answer now, with the same action.'),
  )
}
