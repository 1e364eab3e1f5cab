import type { Command } from 'commander'
import { ask } from '../ask.ts'
import { examples } from '../examples.ts'
import { group } from '../group.ts'
import { wholeNumber } from '../numbers.ts'
import { printable } from '../printable.ts'
import { Messages, messageLines, Sent, Session, Sessions, sessionLines, sessionName } from '../session-lines.ts'
import type { Shell } from '../shell.ts'
import { addSteering } from './sessions-steering.ts'

export const addSessions = (program: Command, shell: Shell): void => {
  const { all, list } = group(program, 'sessions', 'talk to undermind, and see what other agents say to it')
  list.description('show the sessions')
  examples(list, 'undermind sessions', 'undermind sessions list --json')
  shell.act(list, async () => {
    const sessions = await shell.withDoor((door) => ask(door, 'orchestration.sessions_list', {}, Sessions))
    if (shell.json) shell.print(sessions)
    else if (sessions.length === 0) shell.say('There are no sessions.')
    else shell.say(...sessionLines(sessions, shell))
  })

  const show = all
    .command('show')
    .description('show the messages of a session')
    .argument('<session>', 'master, agent/session, or its id')
    .option('--limit <n>', 'at most so many messages', wholeNumber(1, 500), 50)
    .option('--before <n>', 'those before the message of this number', wholeNumber(1, Number.MAX_SAFE_INTEGER))
  examples(show, 'undermind sessions show master', 'undermind sessions show anna/plans --limit 10')
  shell.act(show, (session: string, options: ShowOptions) => showSession(shell, session, options))

  const send = all
    .command('send')
    .description('write into a session and wait for the answer')
    .argument('<session>', 'master, agent/session, or its id')
    .argument('<text>', 'what to say, or - for what comes in')
    .option('--id <id>', 'of the message: the same one sent again is one message')
    .option('--no-wait', 'do not wait for the answer')
  examples(
    send,
    'undermind sessions send master "What is open today?"',
    'undermind sessions send anna/plans - < note.txt',
  )
  shell.act(send, (session: string, text: string, options: SendOptions) => sendMessage(shell, session, text, options))

  const fresh = all
    .command('new')
    .description('make a session with another agent')
    .argument('<agent>', 'its name')
    .argument('[session]', 'name of the session', 'main')
    .option('--title <text>', 'what it is about')
  examples(fresh, 'undermind sessions new anna plans')
  shell.act(fresh, async (agent: string, session: string, { title }: { title?: string }) => {
    const params = { agent, session, ...(title !== undefined && { title }) }
    const made = await shell.withDoor((door) => ask(door, 'orchestration.sessions_create', params, Session))
    if (shell.json) return shell.print(made)
    shell.tell(`There is a session ${sessionName(made)}.`)
  })
  addSteering(all, shell)
}

interface ShowOptions {
  limit: number
  before?: number
}

const showSession = (shell: Shell, session: string, { limit, before }: ShowOptions): Promise<void> =>
  shell.withDoor(async (door) => {
    const params = { session, limit, ...(before !== undefined && { before }) }
    const page = await ask(door, 'orchestration.messages_list', params, Messages)
    if (shell.json) return shell.print(page)
    const { session: row, messages } = page
    const [first] = messages
    if (!first)
      return shell.tell(`Nothing has been said in ${sessionName(row)}${before === undefined ? '' : ' before that'}.`)
    if (first.seq > 1) {
      const earlier = `sessions show ${sessionName(row)} --before ${first.seq}`
      shell.say(shell.paint('gray', `${first.seq - 1} earlier: ${shell.command(earlier)}`))
    }
    shell.say(...messages.flatMap((message) => messageLines(message, row, shell)))
    // A person has seen what was shown to them.
    if (shell.isForPerson && row.unread > 0) {
      await ask(door, 'orchestration.mark_read', { session: row.id, through: messages.at(-1)?.seq ?? 0 }, Session)
    }
  })

interface SendOptions {
  id?: string
  wait: boolean
}

/** Ends with 1 where the answer was waited for and there is none yet. */
async function sendMessage(shell: Shell, session: string, text: string, { id, wait }: SendOptions): Promise<number> {
  const body = text === '-' ? await shell.parts.io.stdin() : text
  const params = { session, body, wait, ...(id !== undefined && { id }) }
  const sent = await shell.withDoor((door) =>
    shell.during('Waiting for the answer…', ask(door, 'orchestration.message_send', params, Sent)),
  )
  const { answer, message, session: row } = sent
  if (shell.json) shell.print(sent)
  else if (answer) shell.say(printable(answer.body))
  else if (!wait)
    shell.tell(`Sent as #${message.seq} of ${sessionName(row)}${sent.isNew ? '' : '; it was there already'}.`)
  else shell.remark(`There is no answer yet: ${row.reason ?? 'it failed'} It is tried again by itself.`)
  return wait && !answer ? 1 : 0
}
