import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime, initWorkspace } from 'undermind'
import { river } from './river.mjs'

const levels = [210, 263, 259, 241]
const gauge = async () => levels.shift()

const workspace = await mkdtemp(join(tmpdir(), 'undermind-'))
await initWorkspace(workspace, {})
// Here it is, the one line.
const runtime = await createRuntime({ workspace, trusted: true, worlds: [river(gauge)] })
try {
  runtime.subscribe((news) => {
    if (news.type === 'notification') console.log(`${news.title}: ${news.body}`)
  })
  for (const { title, state } of runtime.status().worlds) console.log(`${title} is ${state}`)
  while (levels.length > 0) {
    const tick = await runtime.settled(await runtime.trigger({ world: 'river' }))
    console.log(`${tick.id} was ${tick.state}`)
  }
} finally {
  await runtime[Symbol.asyncDispose]()
  await rm(workspace, { recursive: true })
}
