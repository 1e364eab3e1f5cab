import type { ReactNode, Ref } from 'react'

interface Props {
  label: string
  className?: string
  ref?: Ref<HTMLElement>
  children?: ReactNode
}

/** A part of the page that is moved about in by itself. It takes the focus, so that the arrow keys reach what lies outside. */
export const Scroller = ({ label, className = '', ref, children }: Props) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without it whoever uses a keyboard could not scroll here in every browser
  <section ref={ref} aria-label={label} tabIndex={0} className={`sheet overflow-auto ${className}`}>
    {children}
  </section>
)
