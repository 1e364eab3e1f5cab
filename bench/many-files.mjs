// A watched workspace of 100,000 files: the time of a quiet tick, with what it read checked; then 10 files change.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openHouse } from '../dist/house/open.js'
import { scriptedProvider } from '../dist/models/scripted.js'
import { initWorkspace } from '../dist/settings/init.js'
import { folderSource } from '../dist/sources/folder/source.js'

export async function quietTick(folder, sync) {
  const workspace = join(folder, 'workspace')
  mkdirSync(workspace, { recursive: true })
  await initWorkspace(workspace, { 'HEARTBEAT.md': '- Tell me what changed\n' })
  const path = (file) => join(workspace, `d${Math.floor(file / 100)}`, `f${file % 100}.md`)
  for (let file = 0; file < 100_000; file++) {
    if (file % 100 === 0) mkdirSync(join(workspace, `d${file / 100}`))
    writeFileSync(path(file), `Note ${file}\n`)
  }
  const source = folderSource({ root: workspace, own: [], ignore: [], maxFileBytes: 1024 * 1024 })
  const provider = scriptedProvider({ record: false, decide: () => ({ decision: 'skip' }) })
  const { runtime } = await openHouse({
    workspace,
    settings: { 'store.synchronous': sync },
    trusted: true,
    provider,
    sources: [source],
    env: {},
    userConfigDir: join(folder, 'config'),
  })
  const watching = await source.watch(() => {})
  const tick = async (expected) => {
    const row = await runtime.settled(await runtime.trigger())
    if (expected && row.state !== expected) throw new Error(`the tick ended ${row.state}: ${row.reason}`)
    return row
  }
  // The first look takes as many ticks as its report needs; then all is known.
  while ((await tick()).state !== 'quiet');
  const before = { ...source.stats }
  const start = performance.now()
  for (let quiet = 0; quiet < 20; quiet++) await tick('quiet')
  const ms = (performance.now() - start) / 20
  if (source.stats.filesRead !== before.filesRead) throw new Error('a quiet tick read files')
  for (let file = 0; file < 10; file++) appendFileSync(path(file * 997), 'More\n')
  await new Promise((next) => setTimeout(next, 500))
  await tick('done')
  const read = source.stats.filesRead - before.filesRead
  if (read !== 10) throw new Error(`a change of 10 files read ${read}`)
  await watching[Symbol.asyncDispose]()
  await runtime[Symbol.asyncDispose]()
  return ms
}
