import type { JSONType } from '../../domain/json.ts'
import { Scroller } from '../parts/scroller.tsx'
import { Prose } from '../text/prose.tsx'
import { useTexts } from '../texts/language.tsx'
import { fieldsOf } from './moments.ts'

/** What an actor knows at a moment, with what is new in it marked. */
export function SnapshotView({ snapshot, before }: { snapshot: JSONType; before: JSONType }) {
  const { t } = useTexts()
  const fields = fieldsOf(snapshot, before)
  return (
    <section aria-labelledby="snapshot" className="min-w-0">
      <h3 id="snapshot" className="mb-2 font-medium">
        {t('inspector.snapshot')}
      </h3>
      {fields.length === 0 ? (
        <p className="text-soft text-sm">{t('inspector.noSnapshot')}</p>
      ) : (
        <Scroller label={t('inspector.snapshot')} className="max-h-96 p-3">
          <dl className="space-y-1.5 font-mono text-xs">
            {fields.map(({ name, text, isNew }) => (
              <div key={name} className={`rounded px-2 py-1 ${isNew ? 'bg-wash' : ''}`}>
                <dt className="text-soft">
                  {name}
                  {isNew && <span className="ml-2 font-sans text-accent">{t('inspector.changed')}</span>}
                </dt>
                <dd>
                  <Prose most={400}>{text}</Prose>
                </dd>
              </div>
            ))}
          </dl>
        </Scroller>
      )}
    </section>
  )
}
