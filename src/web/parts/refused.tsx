import { KeyRound } from 'lucide-react'
import { useTexts } from '../texts/language.tsx'

/** Shown to a browser that has no key any more. */
export function Refused() {
  const { t } = useTexts()
  return (
    <main className="mx-auto max-w-md px-6 pt-24 text-center">
      <KeyRound aria-hidden className="mx-auto mb-4 size-8 text-soft" strokeWidth={1.5} />
      <h1 className="mb-2 font-semibold text-xl">{t('refused.title')}</h1>
      <p className="text-soft">{t('refused.text')}</p>
      <p className="mt-4">
        <code className="rounded bg-sunk px-2 py-1 font-mono text-sm">undermind dashboard</code>
      </p>
    </main>
  )
}
