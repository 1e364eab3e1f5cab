import type { MessagePage, MessageQuery, MessageView } from '../../rpc/inspector.ts'
import type { JournalLine } from '../../store/inspection.ts'
import { breathe } from '../slices.ts'
import type { Stores } from '../stores.ts'

const slice = 200
/** Steps that are looked at for one page. */
const mostLookedAt = 20_000

/** Who sent what to whom. What an actor has sent may be far apart: then the page is short, and says that there is more. */
export async function messagesOf(
  { inspection }: Pick<Stores, 'inspection'>,
  { actor, sinceSeq, limit }: MessageQuery,
): Promise<MessagePage> {
  const isIt = (row: JournalLine): boolean => actor === undefined || row.actor === actor || row.sender === actor
  const messages: MessageView[] = []
  if (sinceSeq === undefined) {
    const head = inspection.head()
    let before = head + 1
    for (let looked = 0; looked < mostLookedAt && messages.length < limit; looked += slice) {
      const rows = inspection.linesBefore(before, slice)
      for (const row of rows.filter(isIt).slice(0, limit - messages.length)) messages.push(messageOf(row))
      before = rows.at(-1)?.seq ?? before
      if (rows.length < slice) break
      await breathe()
    }
    return { messages: messages.reverse(), next: head, more: false }
  }
  let after = sinceSeq
  for (let looked = 0; looked < mostLookedAt; looked += slice) {
    const rows = inspection.linesSince(after, slice)
    for (const row of rows) {
      after = row.seq
      if (isIt(row)) messages.push(messageOf(row))
      if (messages.length === limit) return { messages, next: after, more: true }
    }
    if (rows.length < slice) return { messages, next: after, more: false }
    await breathe()
  }
  return { messages, next: after, more: true }
}

const messageOf = ({ seq, sender, actor, kind, event, toState, at }: JournalLine): MessageView => ({
  seq,
  sender,
  receiver: actor,
  receiverKind: kind,
  via: viaOf(event, sender),
  event,
  to: toState,
  at,
})

function viaOf(event: string, sender: string | null): MessageView['via'] {
  if (event === 'xstate.init') return 'start'
  if (event.startsWith('xstate.done.actor.') || event.startsWith('xstate.error.actor.')) return 'work'
  if (event.startsWith('xstate.after.')) return 'timer'
  return sender === null ? 'outside' : 'message'
}
