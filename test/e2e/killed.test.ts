import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { desk } from './support/desk.ts'
import { Cards, Log, Status, Tick } from './support/shapes.ts'

const notes = Object.fromEntries(
  Array.from({ length: 400 }, (_, n) => [`notes/notes/${n}.md`, `# Note ${n}\n\nNothing is to be done.\n`]),
)

it('goes on where a killed daemon was in the middle of a tick: nothing is lost, nothing is done twice', async (test) => {
  const at = desk(test)
  await at.run(['init', 'notes', '--example'])
  at.write(notes)
  const workspace = at.path('notes')
  const daemon = at.begin(['-w', workspace, 'start', '--json'])
  await daemon.until('"type":"started"')
  expect(await daemon.signal('SIGKILL')).toMatchObject({ code: null, signal: 'SIGKILL' })
  const store = at.store(workspace)
  expect(store.prepare('SELECT id, ended_at FROM tick').all()).toEqual([{ id: 'tick_memory_1', ended_at: null }])
  store.close()

  const status = Status.parse(await at.json(['-w', workspace, 'status']))
  expect(status).toMatchObject({ tasks: 6, running: false })
  const tick = Tick.parse(await at.json(['-w', workspace, 'tick']))
  expect(['done', 'quiet']).toContain(tick.state)

  const log = Log.parse(await at.json(['-w', workspace, 'log']))
  expect(log.filter(({ settledAt, state }) => settledAt === null && state !== 'awaitingApproval')).toEqual([])
  const mail = log.filter(({ title }) => title === 'Look through new mail for urgent items')
  expect(mail.filter(({ state }) => state === 'acted')).toHaveLength(1)
  const cards = Cards.parse(await at.json(['-w', workspace, 'approvals', 'list']))
  expect(cards).toHaveLength(1)
  expect((await at.run(['-w', workspace, 'approvals', 'approve', cards[0]!.id])).code).toBe(0)
  expect(readFileSync(join(workspace, 'AGENDA.md'), 'utf8').match(/printer by/g)).toHaveLength(1)
  expect((await at.run(['-w', workspace, 'doctor'])).out).toContain('All is well.')
})
