import { randomBytes } from 'node:crypto'
import type { Clock } from '../domain/clock.ts'
import type { Ids } from '../domain/ids.ts'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

const digits = (value: bigint, length: number): string => {
  let text = ''
  for (let rest = value, i = 0; i < length; i++, rest >>= 5n) text = alphabet[Number(rest & 31n)] + text
  return text
}

/** ULID-like ids: ten characters of time, then ten of randomness that only grow within a millisecond. */
export function timedIds(clock: Clock, random: () => number = () => randomBytes(6).readUIntBE(0, 6)): Ids {
  let lastAt = -1
  let tail = 0n
  return {
    next(prefix) {
      const at = Math.max(clock.now(), lastAt)
      tail = at === lastAt ? tail + 1n : BigInt(random())
      lastAt = at
      return `${prefix}_${digits(BigInt(at), 10)}${digits(tail, 10)}` as never
    },
  }
}
