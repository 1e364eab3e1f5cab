import { placed } from '../parts/placed.ts'
import type { Card } from '../rpc/methods.ts'
import { Prose } from '../text/prose.tsx'
import { useTexts } from '../texts/language.tsx'

/** What would be done: each call with its target and exactly the arguments that it will be handed. */
export function CardCalls({ card: { calls_shown: calls } }: { card: Card }) {
  const { t } = useTexts()
  return (
    <section>
      <h4 className="mb-1.5 text-soft text-xs">{t('card.whatWouldBeDone')}</h4>
      {calls.length === 0 && <p className="text-sm">{t('card.plan')}</p>}
      <ol className="space-y-3">
        {placed(calls).map(({ key, item: { tool, target, arguments: given } }) => (
          <li key={key} className="rounded-lg bg-sunk px-3.5 py-2.5">
            <p className="font-mono text-sm">
              <Prose most={200}>{tool}</Prose>
              <span aria-hidden className="text-soft">
                {' → '}
              </span>
              <span className="sr-only">{t('card.at')}</span>
              <Prose className="font-semibold" most={300}>
                {target}
              </Prose>
            </p>
            <dl className="mt-1.5 grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-1 text-sm sm:grid-cols-[auto_minmax(0,1fr)]">
              {given.map(({ name, value }) => (
                <div key={name} className="contents">
                  <dt className="pt-0.5 font-mono text-soft text-xs leading-5">
                    <Prose most={60}>{name}</Prose>
                  </dt>
                  <dd className="min-w-0">
                    <Prose most={400}>{value}</Prose>
                  </dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ol>
    </section>
  )
}
