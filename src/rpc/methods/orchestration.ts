import { z } from 'zod'
import { method } from '../method.ts'
import { Time } from '../rows.ts'
import { snake } from '../snake.ts'
import { given, limit, nothing } from './common.ts'

const Seq = z.int().min(0).meta({ id: 'Seq', description: 'Counts the messages of a session from 1.' })

const SessionRow = z
  .strictObject({
    id: z.string(),
    agent: z.string(),
    session: z.string(),
    kind: z.enum(['peer', 'master', 'subconscious']),
    title: z.string(),
    state: z.string(),
    reason: z.string().nullable().meta({ description: 'Why it is tried again later.' }),
    head: Seq,
    inbound: Seq.meta({ description: 'The newest message from outside.' }),
    cursor: Seq.meta({ description: 'The newest message that has been answered.' }),
    read: Seq,
    unread: z.int(),
    attempts: z.int().meta({ description: 'Attempts in a row that failed.' }),
    utilization: z.number().meta({ description: "Part of the core's window that it fills." }),
    evicted: Seq,
    remembered: z.int(),
    created_at: Time,
    active_at: Time,
  })
  .meta({ id: 'Session', description: 'A session with another agent, with the user, or with the subconscious.' })

const MessageRow = z
  .strictObject({
    id: z.string(),
    session: z.string(),
    seq: Seq,
    role: z.enum(['user', 'assistant', 'system']),
    body: z.string(),
    cycle: z.string().nullable(),
    delivery: z.enum(['delivered', 'unknown']).nullable(),
    at: Time,
  })
  .meta({ id: 'Message' })

const sessionsList = method({
  name: 'orchestration.sessions_list',
  summary: 'Every session: the pinned ones first, then those with the newest messages.',
  params: z.strictObject({ limit: limit(200) }),
  result: z.array(SessionRow),
  run: ({ limit: most }, services) => snake(services.sessions.list(most)),
})

const sessionsCreate = method({
  name: 'orchestration.sessions_create',
  summary: 'Makes a session with another agent, or names the one that there is.',
  params: z.strictObject({
    agent: given,
    session: given.default('main'),
    title: z.string().trim().min(1).max(200).optional(),
  }),
  result: SessionRow,
  run: async ({ agent, session, title }, services) => snake(await services.sessions.create({ agent, session }, title)),
})

const messagesList = method({
  name: 'orchestration.messages_list',
  summary: 'Messages of a session in their order: the newest, those before one, or those after one.',
  params: z
    .strictObject({ session: given, before: Seq.optional(), after: Seq.optional(), limit: limit(50) })
    .refine(({ before, after }) => before === undefined || after === undefined, 'before and after exclude each other'),
  result: z.strictObject({ session: SessionRow, messages: z.array(MessageRow) }),
  run: ({ session, before, after, limit: most }, services) =>
    snake(
      services.sessions.messages(session, {
        limit: most,
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
      }),
    ),
})

const messageSend = method({
  name: 'orchestration.message_send',
  summary:
    'Puts a message into a session. With agent, session is its name with that agent, and it is made where it is not there. The same id again is the same message.',
  params: z.strictObject({
    session: given,
    agent: given.optional(),
    body: z.string(),
    id: z.string().min(1).max(200).optional(),
    wait: z.boolean().default(false),
  }),
  result: z.strictObject({
    session: SessionRow,
    message: MessageRow,
    is_new: z.boolean(),
    answer: MessageRow.nullable().meta({
      description: 'Where it was waited for: the answer, or null when it failed and is tried again later.',
    }),
  }),
  run: async ({ wait, session, body, agent, id }, services) => {
    const order = { session, body, ...(agent !== undefined && { agent }), ...(id !== undefined && { id }) }
    return snake(await services.sessions.send(order, { wait }))
  },
})

const markRead = method({
  name: 'orchestration.mark_read',
  summary: 'Notes that the user has seen a session, through a message or to its end.',
  params: z.strictObject({ session: given, through: Seq.optional() }),
  result: SessionRow,
  run: async ({ session, through }, services) => snake(await services.sessions.markRead(session, through)),
})

const status = method({
  name: 'orchestration.status',
  summary:
    'How many sessions there are, and how many of them wait, fail, are unread or have an answer of unknown fate.',
  params: nothing,
  result: z.strictObject({
    sessions: z.int(),
    waiting: z.int().meta({ description: 'With messages that are not answered yet.' }),
    failing: z.int(),
    unread: z.int(),
    unsure: z.int().meta({ description: 'Answers of which nobody knows whether they arrived.' }),
  }),
  run: (_, services) => snake(services.sessions.status()),
})

const attention = method({
  name: 'orchestration.attention',
  summary: 'What a person should look at: sessions that fail, answers of unknown fate, and unread ones of their own.',
  params: nothing,
  result: z.array(
    z.strictObject({
      session: SessionRow,
      why: z.enum(['failing', 'unknownDelivery', 'unread']),
      text: z.string(),
      at: Time,
    }),
  ),
  run: (_, services) => snake(services.sessions.attention()),
})

export const orchestration = [sessionsList, sessionsCreate, messagesList, messageSend, markRead, status, attention]
