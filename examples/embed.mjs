import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime, initWorkspace } from 'undermind'

const workspace = await mkdtemp(join(tmpdir(), 'undermind-'))
await initWorkspace(workspace, {
  'HEARTBEAT.md': '- Watch the notes for deadlines\n',
  'AGENDA.md': '# Agenda\n',
  'notes/concert.md': '# Concert\n\n- The programme has to be at the printer by tomorrow\n',
})
const runtime = await createRuntime({ workspace, trusted: true })
try {
  const tick = await runtime.settled(await runtime.trigger())
  for (const { state, text, reason } of runtime.log({ tick: tick.id, limit: 50 }))
    console.log(`${state}: ${text ?? reason}`)
  for (const card of runtime.cards()) {
    console.log('It asks for', card.calls)
    const { state, text } = await runtime.approve(card)
    console.log(`${state}: ${text}`)
  }
} finally {
  await runtime[Symbol.asyncDispose]()
  await rm(workspace, { recursive: true })
}
