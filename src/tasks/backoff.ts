import { hour, minute } from '../domain/clock.ts'

/**
 * How long to wait before retry number `attempt` (1, 2, …), in milliseconds: one minute, doubled each time, 6 hours at
 * most, and up to a fifth more or less so that what failed together does not come back together. `random` is from 0 to 1.
 */
export const backoff = (attempt: number, random: number): number => {
  const plain = Math.min(minute * 2 ** (Math.max(1, attempt) - 1), 6 * hour)
  return Math.min(Math.round(plain * (0.8 + 0.4 * random)), 6 * hour)
}
