// A day in which nothing happens, at the default beat, in virtual time: the size of the write-ahead log at its end.
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openHouse } from '../dist/house/open.js'
import { scriptedProvider } from '../dist/models/scripted.js'
import { initWorkspace } from '../dist/settings/init.js'
import { handTurned } from './lib/hand-turned.mjs'

export async function idleDay(folder, sync) {
  const workspace = join(folder, 'workspace')
  mkdirSync(workspace, { recursive: true })
  await initWorkspace(workspace, { 'HEARTBEAT.md': '- Tell me when something happens\n' })
  writeFileSync(join(workspace, 'note.md'), 'Nothing.\n')
  const { clock, advance } = handTurned(() => runtime.host.idle())
  let calls = 0
  const provider = scriptedProvider({
    record: false,
    decide: () => {
      calls++
      return { decision: 'skip' }
    },
  })
  const { runtime } = await openHouse({
    workspace,
    settings: { 'store.synchronous': sync },
    trusted: true,
    provider,
    clock,
    env: {},
    userConfigDir: join(folder, 'config'),
  })
  await runtime.start()
  // The first day fills what is kept of a fixed size.
  await advance(24 * 3_600_000)
  calls = 0
  const database = join(workspace, '.undermind', 'state.db')
  const before = statSync(database).size
  await advance(24 * 3_600_000)
  if (calls > 0) throw new Error(`an idle day made ${calls} model calls`)
  const grown = statSync(database).size - before
  if (grown > 64 * 1024) throw new Error(`an idle day grew the database by ${grown} bytes`)
  // The thread that empties the log works by real time, in which the day took a few seconds.
  await new Promise((next) => setTimeout(next, 3000))
  const wal = statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0
  await runtime[Symbol.asyncDispose]()
  return wal
}
