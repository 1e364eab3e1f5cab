import { TriangleAlert } from 'lucide-react'
import type { Status } from '../rpc/methods.ts'
import { Prose } from '../text/prose.tsx'
import { type Texts, useTexts } from '../texts/language.tsx'

/** What does not work, and what to do about it; nothing where all is well. */
export function Problems({ status }: { status: Status }) {
  const { t } = useTexts()
  const problems = problemsOf(status, t)
  if (problems.length === 0) return null
  return (
    <section
      aria-label={t('problems')}
      className="mt-4 rounded-xl border border-coral bg-coral-wash px-5 py-3 text-coral-ink"
    >
      <ul className="space-y-1 text-sm">
        {problems.map((problem) => (
          <li key={problem} className="flex gap-2">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            <Prose most={300}>{problem}</Prose>
          </li>
        ))}
      </ul>
    </section>
  )
}

const problemsOf = (status: Status, t: Texts['t']): string[] => {
  const file = status.heartbeat_file
  return [
    ...(status.stalled === null ? [] : [t('problem.stalled', { why: status.stalled })]),
    ...(status.provider_unavailable_reason === null
      ? []
      : [t('problem.model', { why: status.provider_unavailable_reason })]),
    ...(status.trusted ? [] : [t('problem.untrusted')]),
    ...(file.kind === 'unreadable' ? [t('problem.heartbeat', { why: file.reason })] : []),
    ...status.sources.flatMap(({ title, failure }) =>
      failure === null ? [] : [t('problem.source', { title, why: failure })],
    ),
    ...status.paused_tasks.map(({ title, why }) => t('problem.paused', { title, why })),
    ...status.instances.flatMap(({ title, halted_reason: why }) =>
      why === null ? [] : [t('problem.halted', { title, why })],
    ),
    ...(status.dead_letters > 0 ? [t('problem.deadLetters', { n: status.dead_letters })] : []),
  ]
}
