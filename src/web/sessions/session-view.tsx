import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useId, useState } from 'react'
import { Asked, Empty } from '../parts/asked.tsx'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { useNotices } from '../parts/notices.tsx'
import { Time } from '../parts/time.tsx'
import type { Session, SessionLine } from '../rpc/methods.ts'
import { useCall } from '../rpc/rpc-context.tsx'
import { Prose } from '../text/prose.tsx'
import { useTexts } from '../texts/language.tsx'

const mostLines = 200

/** The newest messages of a session, and a field to write in where the user may. */
export function SessionView({ session }: { session: Session }) {
  const { t } = useTexts()
  const call = useCall()
  const client = useQueryClient()
  const query = useQuery({
    queryKey: ['sessions', session.id, session.head],
    queryFn: () => call('orchestration.messages_list', { session: session.id, limit: mostLines }, { repeatable: true }),
    placeholderData: (before) => before,
  })
  const isUnread = session.unread > 0
  useEffect(() => {
    if (!isUnread) return
    // That it was seen is no order of the user's: nobody needs to hear of it when it cannot be noted.
    call('orchestration.mark_read', { session: session.id }, { repeatable: true }).then(
      () => client.invalidateQueries({ queryKey: ['sessions'], exact: true }),
      () => {},
    )
  }, [isUnread, session.id, call, client])
  return (
    <section aria-labelledby="session" className="sheet px-5 py-4">
      <header className="mb-4 flex flex-wrap items-center gap-2">
        <h2 id="session" className="font-semibold">
          <Prose most={120}>{session.title}</Prose>
        </h2>
        <Badge>{session.state}</Badge>
        {session.reason !== null && (
          <p className="w-full text-coral-ink text-sm">
            <Prose most={300}>{session.reason}</Prose>
          </p>
        )}
      </header>
      <Asked query={query}>
        {({ messages }) =>
          messages.length === 0 ? <Empty>{t('sessions.noMessage')}</Empty> : <Lines lines={messages} />
        }
      </Asked>
      {session.kind !== 'subconscious' && <Write session={session.id} />}
    </section>
  )
}

const Lines = ({ lines }: { lines: readonly SessionLine[] }) => (
  <ol className="space-y-3">
    {lines.map((line) => (
      <li key={line.seq} className={`flex ${line.role === 'assistant' ? 'justify-end' : ''}`}>
        <SessionMessage line={line} />
      </li>
    ))}
  </ol>
)

function SessionMessage({ line: { role, body, at, delivery } }: { line: SessionLine }) {
  const { t } = useTexts()
  const look = { user: 'bg-sunk', assistant: 'bg-wash', system: 'border border-line text-soft' }[role]
  return (
    <div className={`max-w-[85%] rounded-xl px-3.5 py-2 text-sm ${look}`}>
      <p>
        <Prose most={2000}>{body}</Prose>
      </p>
      <p className="mt-1 text-soft text-xs">
        {t(`role.${role}`)} · <Time at={at} as="clock" />
        {delivery === 'unknown' && ` · ${t('sessions.unsure')}`}
      </p>
    </div>
  )
}

function Write({ session }: { session: string }) {
  const { t } = useTexts()
  const call = useCall()
  const { complain } = useNotices()
  const field = useId()
  const [body, setBody] = useState('')
  const send = (event: FormEvent) => {
    event.preventDefault()
    const id = `dashboard_${crypto.getRandomValues(new BigUint64Array(1))[0]}`
    setBody('')
    call('orchestration.message_send', { session, body, id }, { repeatable: true }).catch((error: unknown) => {
      setBody(body)
      complain(error)
    })
  }
  return (
    <form className="mt-4 flex gap-2" onSubmit={send}>
      <label htmlFor={field} className="sr-only">
        {t('sessions.write')}
      </label>
      <input
        id={field}
        className="field flex-1"
        placeholder={t('sessions.write')}
        value={body}
        onChange={(event) => setBody(event.target.value)}
      />
      <Button type="submit" look="main" disabled={body.trim() === ''}>
        {t('reply.send')}
      </Button>
    </form>
  )
}
