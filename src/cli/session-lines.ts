import { z } from 'zod'
import { columnsOf } from './columns.ts'
import type { Page } from './page.ts'
import { printable, printableLine } from './printable.ts'
import { localTime, when } from './times.ts'
import { wrapBehind } from './wrap.ts'

/*
 * What the commands need of sessions; what more there is passes through to `--json`.
 */

export const Session = z.looseObject({
  id: z.string(),
  agent: z.string(),
  session: z.string(),
  kind: z.string(),
  state: z.string(),
  reason: z.string().nullish(),
  head: z.number(),
  unread: z.number(),
  activeAt: z.number(),
})
export type Session = z.infer<typeof Session>
export const Sessions = z.array(Session)

export const Message = z.looseObject({
  seq: z.number(),
  role: z.string(),
  body: z.string(),
  delivery: z.string().nullish(),
  at: z.number(),
})
export type Message = z.infer<typeof Message>

export const Messages = z.looseObject({ session: Session, messages: z.array(Message) })
export const Sent = z.looseObject({
  session: Session,
  message: Message,
  isNew: z.boolean(),
  answer: Message.nullable(),
})

/** The shortest name by which a session can be called. */
export const sessionName = ({ kind, agent, session }: Session): string =>
  printableLine(kind === 'peer' ? `${agent}/${session}` : session)

const stateText = ({ state, reason }: Session): string => {
  if (state === 'retrying') return `failed, is tried again: ${printableLine(reason ?? 'unknown')}`
  if (state === 'idle') return 'answered'
  return state.startsWith('waking') ? 'answering…' : 'waiting for more'
}

export const sessionLines = (sessions: readonly Session[], page: Page): string[] => {
  const rows = sessions.map((session) => [
    sessionName(session),
    session.unread > 0 ? String(session.unread) : '',
    session.head === 0 ? '' : when(session.activeAt, page.now()),
    session.head === 0 ? 'nothing said yet' : stateText(session),
  ])
  return columnsOf(['session', 'unread', 'last message', 'state'], rows, page, 3)
}

const speaker = ({ role }: Message, session: Session): string => {
  if (role === 'assistant') return 'undermind'
  if (role === 'system') return 'remark'
  return session.kind === 'peer' ? printableLine(session.agent) : 'you'
}

export const messageLines = (message: Message, session: Session, page: Page): string[] => {
  const unsure = message.delivery === 'unknown' ? ' · nobody knows whether this arrived' : ''
  const head = `#${message.seq} ${speaker(message, session)}, ${localTime(message.at, page.now())}${unsure}`
  return [page.paint('gray', head), ...wrapBehind('  ', printable(message.body), page.columns)]
}
