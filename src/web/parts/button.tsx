import type { ComponentProps } from 'react'

const looks = {
  main: 'bg-accent text-on-accent border-accent hover:opacity-90',
  plain: 'bg-sheet border-line hover:bg-sunk',
  bare: 'border-transparent text-soft hover:bg-sunk hover:text-ink',
  danger: 'bg-sheet border-line text-coral-ink hover:bg-coral-wash',
} as const

interface Props extends ComponentProps<'button'> {
  look?: keyof typeof looks
}

export const Button = ({ look = 'plain', className = '', ...rest }: Props) => (
  <button
    type="button"
    {...rest}
    className={`inline-flex min-h-9 items-center justify-center gap-1.5 rounded-lg border px-2.5 py-1 sm:px-3 text-sm font-medium transition-colors disabled:opacity-50 ${looks[look]} ${className}`}
  />
)
