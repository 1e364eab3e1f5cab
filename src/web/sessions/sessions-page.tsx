import { useQuery } from '@tanstack/react-query'
import { asFault } from '../../rpc/wire-error.ts'
import { Asked, Empty } from '../parts/asked.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { hrefOf } from '../parts/place.ts'
import { Time } from '../parts/time.tsx'
import type { Session } from '../rpc/methods.ts'
import { useCall } from '../rpc/rpc-context.tsx'
import { Line } from '../text/prose.tsx'
import { useTexts } from '../texts/language.tsx'
import { SessionView } from './session-view.tsx'

/** Talks with other agents, with the user, and what steers them. */
export function SessionsPage({ rest }: { rest: string }) {
  const { t } = useTexts()
  const call = useCall()
  const query = useQuery({
    queryKey: ['sessions'],
    queryFn: () => call('orchestration.sessions_list', {}, { repeatable: true }),
  })
  const isOff = query.isError && asFault(query.error).code === 'orchestration/disabled'
  return (
    <>
      <PageHead title={t('page.sessions')} lead={t('sessions.lead')} />
      {isOff ? (
        <Empty>{asFault(query.error).message}</Empty>
      ) : (
        <Asked query={query}>
          {(sessions) => {
            const open = sessions.find(({ id }) => id === rest) ?? sessions[0]
            if (open === undefined) return <Empty>{t('sessions.nothing')}</Empty>
            return (
              <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[16rem_minmax(0,1fr)]">
                <List sessions={sessions} open={open.id} />
                <SessionView key={open.id} session={open} />
              </div>
            )
          }}
        </Asked>
      )}
    </>
  )
}

function List({ sessions, open }: { sessions: readonly Session[]; open: string }) {
  const { t } = useTexts()
  return (
    <nav aria-label={t('page.sessions')}>
      <ul className="space-y-0.5">
        {sessions.map((session) => (
          <li key={session.id}>
            <a
              href={hrefOf('sessions', session.id)}
              aria-current={session.id === open ? 'true' : undefined}
              className={`block rounded-lg px-3 py-2 ${session.id === open ? 'bg-wash' : 'hover:bg-sunk'}`}
            >
              <span className="flex items-baseline gap-2">
                <Line className="min-w-0 flex-1 font-medium text-sm">{session.title}</Line>
                {session.unread > 0 && (
                  <span className="rounded-full bg-amber-wash px-2 text-amber-ink text-xs leading-5">
                    <span aria-hidden>{session.unread}</span>
                    <span className="sr-only">{t('sessions.unread', { n: session.unread })}</span>
                  </span>
                )}
              </span>
              <span className="text-soft text-xs">
                {t(`sessionKind.${session.kind}`)} · <Time at={session.active_at} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
