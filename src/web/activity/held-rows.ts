import { useEffect, useState } from 'react'
import type { Row } from '../rpc/methods.ts'

/**
 * While the reader is somewhere down the list, what comes in above is held back, so that nothing moves under their eyes.
 * Back at the top, or when they say so, it is let in.
 */
export function useHeldRows(rows: readonly Row[], top: number) {
  const [isAway, setAway] = useState(false)
  const [first, setFirst] = useState<string | null>(null)
  useEffect(() => {
    const look = () => setAway(scrollY > top + 80)
    look()
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [top])
  const newest = rows[0]?.id ?? null
  // Noted while it is drawn: the row that was on top when the reader left.
  if (isAway && first === null && newest !== null) setFirst(newest)
  if (!isAway && first !== null) setFirst(null)
  const found = first === null ? 0 : rows.findIndex(({ id }) => id === first)
  const held = Math.max(0, found)
  return {
    rows: held === 0 ? rows : rows.slice(held),
    held,
    release() {
      setFirst(newest)
      scrollTo({ top: 0 })
    },
  }
}
