// What a beat costs with ten worlds due of ten thousand registered, against ten of ten: both in one process, in turn.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openHouse } from '../dist/house/open.js'
import { scriptedProvider } from '../dist/models/scripted.js'
import { initWorkspace } from '../dist/settings/init.js'
import { handTurned } from './lib/hand-turned.mjs'

const registered = 10_000
const due = 10
const beats = 200
const cadence = 10

const quiet = (id) => ({
  id,
  title: id,
  description: `Sees nothing in ${id}`,
  cadence: () => cadence,
  observe: async () => ({ rendered: '', hasChanges: false, hasExternalContent: false, commitToken: 0 }),
  reflect: () => ({ kind: 'idle' }),
  commit: async () => {},
  origin: () => 'trusted',
})

async function beatsOf(folder, sync, idle) {
  const workspace = join(folder, String(idle), 'workspace')
  mkdirSync(workspace, { recursive: true })
  await initWorkspace(workspace, {})
  const { clock, advance } = handTurned(() => runtime.host.idle())
  const { runtime } = await openHouse({
    workspace,
    settings: { 'store.synchronous': sync, 'heartbeat.enabled': false },
    trusted: true,
    provider: scriptedProvider({ record: false }),
    worlds: Array.from({ length: due }, (_, n) => quiet(`due${n}`)),
    clock,
    env: {},
    userConfigDir: join(folder, 'config'),
  })
  const db = new Database(join(workspace, '.undermind', 'state.db'))
  const world = db.prepare(
    "INSERT INTO world(id, kind, title, state, next_tick_at) VALUES(?, 'idle', 'Idle', 'resting', ?)",
  )
  db.transaction(() => {
    for (let n = 0; n < idle; n++) world.run(`idle${n}`, clock.now() + 10 * 365 * 24 * 3_600_000)
  })()
  db.close()
  await runtime.start()
  await advance(10 * cadence * 60_000)
  const began = performance.now()
  await advance(beats * cadence * 60_000)
  const ms = performance.now() - began
  const ticks = runtime.stores.ticks.world('due0').totalTicks
  if (ticks < beats) throw new Error(`${ticks} ticks in ${beats} beats`)
  await runtime[Symbol.asyncDispose]()
  return ms / beats
}

export async function beatWithMany(folder, sync) {
  const few = await beatsOf(folder, sync, 0)
  const many = await beatsOf(folder, sync, registered - due)
  return many / few
}
