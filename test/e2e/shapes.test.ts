import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, type TestContext } from 'vitest'
import { type Desk, desk } from './support/desk.ts'
import { Cards, Log, Status, Tasks, Tick } from './support/shapes.ts'

const cases = join(import.meta.dirname, '../cases')
const namesIn = (folder: string, end: string): string[] => {
  const names = readdirSync(join(cases, folder)).filter((name) => name.endsWith(end))
  expect(names).not.toEqual([])
  return names.map((name) => name.slice(0, -end.length))
}

async function exampleTicked(test: TestContext): Promise<{ at: Desk; notes: string }> {
  const at = desk(test)
  const notes = at.path('notes')
  await at.run(['init', notes, '--example'])
  Tick.parse(await at.json(['-w', notes, 'tick']))
  return { at, notes }
}

const descending = (times: number[]): number[] => [...times].sort((a, b) => b - a)

describe.concurrent('JSON that programs rely on', () => {
  it('has its shape in every list, newest first, and says the same through a daemon', async (test) => {
    const { at, notes } = await exampleTicked(test)
    at.write({ 'notes/notes/tour.md': '- The bus has to be booked by 5 May 2099\n' })
    await at.json(['-w', notes, 'tick'])
    const ask = async () => ({
      status: Status.parse(await at.json(['-w', notes, 'status'])),
      log: Log.parse(await at.json(['-w', notes, 'log'])),
      cards: Cards.parse(await at.json(['-w', notes, 'approvals', 'list'])),
      tasks: Tasks.parse(await at.json(['-w', notes, 'tasks', 'list'])),
    })

    const alone = await ask()
    expect(alone.status).toMatchObject({ tasks: 6, pendingApprovals: alone.cards.length, running: false })
    expect(alone.status.worlds).toMatchObject([{ id: 'memory', totalTicks: 2, consecutiveFailures: 0 }])
    expect(alone.tasks).toHaveLength(6)
    const made = alone.log.map(({ createdAt }) => createdAt)
    expect(made).toEqual(descending(made))
    expect(new Set(alone.log.map(({ state }) => state))).toContain('skipped')
    expect(alone.cards.length).toBeGreaterThan(0)
    const asked = alone.cards.map(({ createdAt }) => createdAt)
    expect(asked).toEqual(descending(asked))
    expect(alone.cards[0]?.digest).not.toBe('')

    const daemon = at.begin(['start', '-w', notes])
    await daemon.until('Ctrl-C')
    const { status, ...served } = await ask()
    expect(status.running).toBe(true)
    const { log, cards, tasks } = alone
    expect(served).toEqual({ log, cards, tasks })
    expect((await daemon.signal('SIGINT')).code).toBe(0)
  })

  it('holds the titles of a heartbeat file, without a workspace', async (test) => {
    const at = desk(test)
    for (const name of namesIn('heartbeat', '.md')) {
      const expected = JSON.parse(readFileSync(join(cases, 'heartbeat', `${name}.tasks.json`), 'utf8')) as unknown
      expect(await at.json(['heartbeat', 'parse', join(cases, 'heartbeat', `${name}.md`)])).toEqual(expected)
    }
    expect(readdirSync(at.config)).toEqual([])
  })

  it('says read or write for each title on standard input', async (test) => {
    const at = desk(test)
    const rows = ['intent.tsv', 'intent-more.tsv'].flatMap((file) =>
      readFileSync(join(cases, file), 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => line.split('\t')),
    )
    expect(rows.length).toBeGreaterThan(400)
    const stdin = rows.map(([title]) => `${title}\n`).join('')
    expect(await at.json(['tasks', 'intent'], { stdin })).toEqual(rows.map(([, intent]) => intent))
    expect(await at.json(['tasks', 'intent'], { stdin: '' })).toEqual([])
  })

  it('says how a raw model answer is read, for each task that was asked about', async (test) => {
    const at = desk(test)
    for (const name of namesIn('model-output', '.txt')) {
      const expected = Object.entries(
        JSON.parse(readFileSync(join(cases, 'model-output', `${name}.expected.json`), 'utf8')) as Record<
          string,
          string
        >,
      )
      const asked = expected.map(([task]) => task).join(',')
      const read = await at.json(['decisions', 'parse', join(cases, 'model-output', `${name}.txt`), '--tasks', asked])
      expect(read).toEqual(Object.fromEntries(expected.map(([task, decided]) => [task, decided.split(' ')[0]])))
    }
  })
})
