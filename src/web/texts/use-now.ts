import { useEffect, useState } from 'react'
import { second } from '../../domain/clock.ts'
import { browserClock } from '../browser-clock.ts'

/** The time, told anew every so often, so that "3 minutes ago" stays true. */
export function useNow(every = 20 * second): number {
  const [now, setNow] = useState(browserClock.now)
  useEffect(() => browserClock.wakeAt(now + every, () => setNow(browserClock.now())), [now, every])
  return now
}
