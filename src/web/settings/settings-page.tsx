import { CircleAlert, CircleCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useDoctor, useStatus } from '../data/queries.ts'
import { Asked } from '../parts/asked.tsx'
import { Button } from '../parts/button.tsx'
import { PageHead } from '../parts/page-head.tsx'
import type { Finding, Status } from '../rpc/methods.ts'
import { Prose } from '../text/prose.tsx'
import { useTexts } from '../texts/language.tsx'

/** How this workspace is set up; what is changed is changed in its file. */
export function SettingsPage() {
  const { t } = useTexts()
  return (
    <>
      <PageHead title={t('page.settings')} lead={t('settings.lead')} />
      <Asked query={useStatus()}>{(status) => <Setup status={status} />}</Asked>
      <Doctor />
    </>
  )
}

function Setup({ status }: { status: Status }) {
  const { t } = useTexts()
  const { heartbeat_file: file, sources, routes } = status
  const mode = {
    off: t('mode.off'),
    simple: t('mode.simple'),
    aggressive: t('mode.aggressive'),
    event_driven: t('mode.event_driven'),
  }[status.mode]
  return (
    <dl className="sheet divide-y divide-line text-sm">
      <Fact name={t('settings.workspace')}>
        <span className="font-mono text-xs">
          <Prose most={300}>{status.workspace}</Prose>
        </span>
      </Fact>
      <Fact name={t('settings.trust')}>{t(status.trusted ? 'settings.trusted' : 'settings.untrusted')}</Fact>
      <Fact name={t('settings.mode')}>{mode ?? status.mode}</Fact>
      <Fact name={t('settings.interval')}>{t('minutes', { n: status.interval_minutes })}</Fact>
      <Fact name="HEARTBEAT.md">
        {file.kind === 'read' ? t('settings.heartbeat.read', { n: file.tasks }) : t(`settings.heartbeat.${file.kind}`)}
      </Fact>
      <Fact name={t('settings.sources')}>
        <ul>
          {sources.map(({ id, title, failure }) => (
            <li key={id}>
              <Prose most={120}>{title}</Prose>
              <span className={failure === null ? 'text-soft' : 'text-coral-ink'}>
                {' · '}
                <Prose most={300}>{failure ?? t('settings.sourceOk')}</Prose>
              </span>
            </li>
          ))}
        </ul>
      </Fact>
      <Fact name={t('settings.models')}>
        <ul className="space-y-1">
          {routes.map(({ stage, provider, model, route, available, reason }) => (
            <li key={stage}>
              <span className="text-soft">{t(`stage.${stage}`)}: </span>
              {available ? (
                <>
                  <Prose most={120}>{provider === model ? provider : `${provider} (${model})`}</Prose>
                  <span className="text-soft"> · {t(route === 'local' ? 'route.local' : 'route.cloud')}</span>
                </>
              ) : (
                t('none')
              )}
              {reason !== null && (
                <p className="text-soft">
                  <Prose most={300}>{reason}</Prose>
                </p>
              )}
            </li>
          ))}
        </ul>
      </Fact>
    </dl>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="grid gap-x-4 gap-y-1 px-5 py-3 sm:grid-cols-[12rem_minmax(0,1fr)]">
    <dt className="text-soft">{name}</dt>
    <dd className="min-w-0">{children}</dd>
  </div>
)

/** Everything that a tick needs, looked at when the user wants to know. */
function Doctor() {
  const { t } = useTexts()
  const [wanted, setWanted] = useState(false)
  const query = useDoctor(wanted)
  const look = () => {
    if (wanted) void query.refetch()
    else setWanted(true)
  }
  return (
    <section aria-labelledby="doctor" className="mt-10">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 id="doctor" className="font-semibold text-lg">
          {t('doctor.title')}
        </h2>
        <Button disabled={query.isFetching} onClick={look}>
          {t(query.isFetching ? 'doctor.looking' : 'doctor.look')}
        </Button>
      </div>
      {wanted && (
        <Asked query={query}>
          {(findings) => (
            <ul className="sheet divide-y divide-line">
              {findings.map((finding) => (
                <FindingEntry key={finding.check} finding={finding} />
              ))}
            </ul>
          )}
        </Asked>
      )}
    </section>
  )
}

function FindingEntry({ finding: { check, ok, found, fix } }: { finding: Finding }) {
  const { t } = useTexts()
  const Icon = ok ? CircleCheck : CircleAlert
  return (
    <li className="flex gap-3 px-5 py-3 text-sm">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${ok ? 'text-green' : 'text-coral-ink'}`} />
      <div className="min-w-0">
        <p>
          <span className="sr-only">{t(ok ? 'doctor.ok' : 'doctor.notOk')}: </span>
          <span className="font-medium">{check}</span> <Prose className="text-soft">{found}</Prose>
        </p>
        {fix !== null && (
          <p className="mt-0.5">
            <Prose>{fix}</Prose>
          </p>
        )}
      </div>
    </li>
  )
}
