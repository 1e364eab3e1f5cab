import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { Lease } from '../../src/store/lease.ts'
import { openStore } from '../../src/store/open.ts'
import { HandClock } from '../support/clock.ts'

it('sweeps away what processes left that were killed while they took the lock, and not what one is taking it with', () => {
  const folder = mkdtempSync(join(tmpdir(), 'undermind-leftovers-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const lock = join(folder, 'lock')
  const old = (performance.timeOrigin + performance.now()) / 1000 - 3600
  for (const name of ['lock', 'lock.killed', 'lock.killed.old', 'lock.living']) {
    writeFileSync(join(folder, name), '{}')
    if (name !== 'lock.living') utimesSync(join(folder, name), old, old)
  }
  const { lease, db } = Lease.take(lock, new HandClock(), () => openStore({ file: ':memory:', synchronous: 'normal' }))
  expect(['lock.killed', 'lock.killed.old', 'lock.living'].filter((name) => existsSync(join(folder, name)))).toEqual([
    'lock.living',
  ])
  lease[Symbol.dispose]()
  db.close()
})
