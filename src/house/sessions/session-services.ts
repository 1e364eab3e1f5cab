import type { Session } from '../../domain/session.ts'
import type { Services, SessionView } from '../../rpc/services.ts'
import type { Directives } from '../directives.ts'
import type { SessionBook } from './session-book.ts'

/** The book of sessions as the methods call it. */
export const sessionServices = (book: SessionBook): Services['sessions'] => ({
  list: (limit) => book.list(limit).map(viewOf),
  create: async (key, title) => viewOf(await book.create(key, title)),
  messages(given, page) {
    const { session, messages } = book.messages(given, page)
    return { session: viewOf(session), messages }
  },
  async send(order, { wait }) {
    const { session, message, isNew } = await book.send(order)
    if (!wait) return { session: viewOf(session), message, isNew, answer: null }
    const answered = await book.answered(session.id, message.seq)
    return { session: viewOf(answered.session), message, isNew, answer: answered.answer }
  },
  markRead: async (given, through) => viewOf(await book.markRead(given, through)),
  status: () => book.status(),
  attention: () => book.attention().map(({ session, ...rest }) => ({ session: viewOf(session), ...rest })),
})

/** What steers sessions, as the methods call it. */
export const steeringServices = (book: SessionBook, directives: Directives): Services['steering'] => ({
  list(limit) {
    book.assertEnabled()
    return directives.history(limit)
  },
  async revoke(directive, by) {
    book.assertEnabled()
    return directives.revoke(directive, by)
  },
  async restore(directive) {
    book.assertEnabled()
    return directives.goBackTo(directive)
  },
})

const viewOf = (session: Session): SessionView => ({ ...session, unread: Math.max(0, session.head - session.read) })
