import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { checkpointer } from '../../src/store/checkpointer.ts'
import { openStore } from '../../src/store/open.ts'
import { folder } from './folder.ts'

const until = async (isSo: () => boolean) => {
  while (!isSo()) await setImmediate()
}

/** A store and a way to write so many small things into it, one commit each. */
function opened(quiet: number) {
  const file = join(folder(), 'state.db')
  const db = openStore({ file, synchronous: 'normal' })
  const checkpoints = checkpointer(db, file, quiet)
  onTestFinished(() => {
    checkpoints[Symbol.dispose]()
    db.close()
  })
  const put = db.prepare('INSERT INTO kept VALUES(?, ?) ON CONFLICT DO UPDATE SET value = excluded.value')
  let written = 0
  const write = (times: number, told = true) => {
    for (let n = 0; n < times; n++) {
      // A value that stays would not be written at all.
      put.run(`name ${n}`, `${written++} ${'x'.repeat(500)}`)
      if (told) checkpoints.committed()
    }
  }
  const [log, moved] = [() => state().log, () => state().checkpointed]
  const state = () => (db.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[])[0]!
  return { checkpoints, write, log, moved, bytes: () => statSync(`${file}-wal`).size }
}

it('empties the log once there has been little to move for a while', async () => {
  const { write, bytes } = opened(1)
  write(64)
  expect(bytes()).toBeGreaterThan(0)
  await until(() => bytes() === 0)
})

it('moves what the log holds when nothing much is going on, and otherwise when it is much', async () => {
  const { checkpoints, write, log, moved } = opened(1_000_000)
  write(80)
  const small = log()
  expect(small).toBeGreaterThan(0)
  checkpoints.rests()
  await until(() => moved() === small)
  while (log() < 1600) write(16, false)
  expect(moved()).toBe(0)
  write(16)
  await until(() => moved() >= 1600)
})

it('starts no thread for a few commits', () => {
  const { checkpoints, write, moved } = opened(1)
  write(63)
  checkpoints.rests()
  expect(moved()).toBe(0)
})
