import { expect } from 'vitest'
import type { Ended } from './running.ts'

/**
 * Checks that a command failed as people can bear it: nothing but an error, of whole sentences with a code behind them,
 * no stack, and the right exit code.
 */
export function expectRefusal(
  { code, out, err }: Ended,
  wanted: { exit: 1 | 2 | 3; fault: string; says: string },
): void {
  expect({ out, err, code }).toMatchObject({ out: '', code: wanted.exit })
  expect(err).toMatch(/^[\p{Lu}/'].*[.?] \[[a-z]+\/[a-z-]+\]\n$/su)
  expect(err).not.toMatch(/\n\s+at |Error:|ERR_/)
  expect(err).toContain(`[${wanted.fault}]`)
  expect(err).toContain(wanted.says)
}
