import { ChevronRight } from 'lucide-react'
import { Badge } from '../parts/badge.tsx'
import { placed } from '../parts/placed.ts'
import type { Card } from '../rpc/methods.ts'
import { Prose } from '../text/prose.tsx'
import { useTexts } from '../texts/language.tsx'

/** What led to it: the first at once, with its words; the rest when asked for. */
export function CardOrigin({ found }: { found: Card['provenance'] }) {
  const { t } = useTexts()
  const [first, ...rest] = found
  return (
    <section className="text-sm">
      <h4 className="mb-1 text-soft text-xs">{t('card.whatLedToIt')}</h4>
      {first === undefined ? <p>{t('card.nothingNamed')}</p> : <Found found={first} />}
      {rest.length > 0 && (
        <details className="group mt-1">
          <summary className="inline-flex list-none items-center gap-1 rounded text-accent">
            <ChevronRight aria-hidden className="size-4 transition-transform group-open:rotate-90" />
            {t('card.moreSources', { n: rest.length })}
          </summary>
          <ul className="mt-1 space-y-2">
            {placed(rest).map(({ key, item }) => (
              <li key={key}>
                <Found found={item} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

export function Found({ found: { source, key, external, quote } }: { found: Card['provenance'][number] }) {
  const { t } = useTexts()
  return (
    <div>
      <span className="mr-2 font-mono text-xs">
        <Prose most={200}>{key || source}</Prose>
      </span>
      {external && <Badge tone="amber">{t('external')}</Badge>}
      {quote !== undefined && quote !== '' && (
        <blockquote className="mt-0.5 border-line border-l-2 pl-3 text-soft">
          <Prose most={300}>{quote}</Prose>
        </blockquote>
      )}
    </div>
  )
}
