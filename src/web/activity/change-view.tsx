import { Badge } from '../parts/badge.tsx'
import { placed } from '../parts/placed.ts'
import type { Reason } from '../rpc/methods.ts'
import { Line, Prose } from '../text/prose.tsx'
import { useTexts } from '../texts/language.tsx'

const mostLines = 8

/** What changed in a source, with the lines that went and came. */
export function ChangeView({ change }: { change: Reason['changes'][number] }) {
  const { t } = useTexts()
  const { kind, key, title, external, removed, added, omitted } = change
  const lines = [
    ...removed.map((text) => ({ sign: '−', text, look: 'text-coral-ink' })),
    ...added.map((text) => ({ sign: '+', text, look: '' })),
  ]
  const left = Math.max(0, lines.length - mostLines) + omitted
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2">
        <span className="text-soft">{t(`change.${kind}`)}</span>
        <span className="font-mono text-xs">
          <Prose most={200}>{key}</Prose>
        </span>
        {title !== '' && title !== key && <Prose most={120}>{title}</Prose>}
        {external && <Badge tone="amber">{t('external')}</Badge>}
      </p>
      {lines.length > 0 && (
        <div className="mt-1 rounded-lg bg-sunk px-3 py-2 font-mono text-xs">
          {placed(lines.slice(0, mostLines)).map(({ key: place, item: { sign, text, look } }) => (
            <div key={place} className={`flex gap-2 ${look}`}>
              <span aria-hidden>{sign}</span>
              <span className="sr-only">{t(sign === '+' ? 'change.came' : 'change.went')}</span>
              <Line className="min-w-0">{text}</Line>
            </div>
          ))}
          {left > 0 && <p className="text-soft">{t('change.moreLines', { n: left })}</p>}
        </div>
      )}
    </>
  )
}
