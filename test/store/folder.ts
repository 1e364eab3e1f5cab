import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder that is there until the test is finished. */
export function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'undermind-store-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}
