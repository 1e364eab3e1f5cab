import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { index } from './support/built.ts'
import { type Desk, desk } from './support/desk.ts'
import type { Running } from './support/running.ts'
import { expectRefusal } from './support/said.ts'
import { Cards, Log, Status, Tasks, Tick } from './support/shapes.ts'

/** A program of somebody's that has the workspace open and does not answer commands for it. */
const embedder = (workspace: string): string => `
import { createRuntime } from ${JSON.stringify(index)}
const runtime = await createRuntime({ workspace: ${JSON.stringify(workspace)}, trusted: true })
const hold = setInterval(() => {}, 60_000)
process.stdin.once('end', async () => {
  await runtime[Symbol.asyncDispose]()
  clearInterval(hold)
  console.log('closed')
}).resume()
console.log('open')
`

async function embedded(at: Desk, workspace: string): Promise<Running> {
  const running = at.spawn(process.execPath, ['--input-type=module', '--eval', embedder(workspace)])
  await running.until('open')
  return running
}

async function example(at: Desk): Promise<string> {
  const notes = at.path('notes')
  await at.run(['init', notes, '--example'])
  return notes
}

describe.concurrent('a second process', () => {
  it('is refused what changes something, by the name of the first, and answered what only looks', async (test) => {
    const at = desk(test)
    const notes = await example(at)
    Tick.parse(await at.json(['-w', notes, 'tick']))
    const [card] = Cards.parse(await at.json(['-w', notes, 'approvals', 'list']))
    const first = await embedded(at, notes)
    const refusal = {
      exit: 1,
      fault: 'workspace/in-use',
      says: `Another undermind (process ${first.pid}) is working in this workspace. Stop it, or use it`,
    } as const
    const refused = Promise.all([
      at.run(['-w', notes, 'tick']),
      at.run(['-w', notes, 'start']),
      at.run(['-w', notes, 'approvals', 'approve', card!.id]),
    ])

    expect(Status.parse(await at.json(['-w', notes, 'status']))).toMatchObject({
      tasks: 6,
      pendingApprovals: 1,
      running: false,
    })
    expect(Log.parse(await at.json(['-w', notes, 'log'])).length).toBeGreaterThan(2)
    expect(Cards.parse(await at.json(['-w', notes, 'approvals', 'list']))).toEqual([card])
    expect(Tasks.parse(await at.json(['-w', notes, 'tasks', 'list']))).toHaveLength(6)
    expect((await at.run(['-w', notes, 'why', card!.id])).code).toBe(0)

    for (const ended of await refused) expectRefusal(ended, refusal)
    first.end()
    expect(await first.ended).toMatchObject({ code: 0, err: '' })
    expect((await at.run(['-w', notes, 'approvals', 'approve', card!.id])).code).toBe(0)
    expect(readFileSync(join(notes, 'AGENDA.md'), 'utf8').match(/printer by/g)).toHaveLength(1)
  })

  it('waits for one that is soon done, and then does what it was asked to', async (test) => {
    const at = desk(test)
    const notes = await example(at)
    const first = await embedded(at, notes)
    const tick = at.json(['-w', notes, 'tick'])
    expect((await at.run(['-w', notes, 'status'])).code).toBe(0)
    first.end()
    expect(Tick.parse(await tick)).toMatchObject({ state: 'done' })
  })

  it('is refused beside a daemon, by its name, and served by it', async (test) => {
    const at = desk(test)
    const notes = await example(at)
    const daemon = at.begin(['-w', notes, 'start'])
    await daemon.until('Ctrl-C')
    const second = at.run(['-w', notes, 'start'])
    // The daemon's own first tick may still run, and this one takes its place.
    Tick.parse(await at.json(['-w', notes, 'tick']))
    expect(Tick.parse(await at.json(['-w', notes, 'tick']))).toMatchObject({ state: 'quiet' })
    expectRefusal(await second, { exit: 1, fault: 'workspace/in-use', says: `(process ${daemon.pid})` })
    expect((await daemon.signal('SIGINT')).code).toBe(0)
  })

  it('is told that another program has the store locked, and finds everything when that has let go', async (test) => {
    const at = desk(test)
    const notes = await example(at)
    const tick = Tick.parse(await at.json(['-w', notes, 'tick']))
    const store = at.store(notes, {})
    store.exec('BEGIN EXCLUSIVE')
    const says = `${join(notes, '.undermind/state.db')} is in use by another program. Wait until it has finished`
    for (const ended of await Promise.all([at.run(['-w', notes, 'tick']), at.run(['-w', notes, 'start'])]))
      expectRefusal(ended, ended.err.includes('in-use') ? inUse : { exit: 1, fault: 'store/locked', says })
    store.exec('ROLLBACK')
    store.close()
    expect(Log.parse(await at.json(['-w', notes, 'log']))).toHaveLength(tick.evaluations.length)
    expect(Tick.parse(await at.json(['-w', notes, 'tick']))).toMatchObject({ state: 'quiet' })
  })
})

/** Of two that wait for a locked store, one has the workspace. */
const inUse = { exit: 1, fault: 'workspace/in-use', says: 'is working in this workspace' } as const
