import type { ReactNode } from 'react'

const tones = {
  plain: 'border-line text-soft',
  amber: 'border-amber bg-amber-wash text-amber-ink',
  coral: 'border-coral bg-coral-wash text-coral-ink',
} as const

export const Badge = ({ tone = 'plain', children }: { tone?: keyof typeof tones; children: ReactNode }) => (
  <span className={`inline-flex items-center rounded-full border px-2 text-xs leading-5 ${tones[tone]}`}>
    {children}
  </span>
)
