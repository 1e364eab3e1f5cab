import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { asFault } from '../../rpc/wire-error.ts'
import { Prose } from '../text/prose.tsx'
import { useTexts } from '../texts/language.tsx'

interface Props<Data> {
  query: UseQueryResult<Data>
  children(data: Data): ReactNode
}

/** What was asked for, once it is there; a word while it is not, and the reason where it will not be. */
export function Asked<Data>({ query, children }: Props<Data>) {
  const { t } = useTexts()
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <Trouble>{asFault(query.error).message}</Trouble>
  return <p className="py-6 text-soft">{t('loading')}</p>
}

export const Trouble = ({ children }: { children: string }) => (
  <p role="alert" className="rounded-lg border border-coral bg-coral-wash px-3 py-2 text-coral-ink">
    <Prose>{children}</Prose>
  </p>
)

export const Empty = ({ children }: { children: ReactNode }) => (
  <p className="rounded-xl border border-dashed border-line px-4 py-6 text-center text-soft">{children}</p>
)
