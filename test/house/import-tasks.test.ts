import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { day, hour } from '../../src/domain/clock.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { house } from '../support/house.ts'
import { importing, openhuman, uuid } from './import-house.ts'
import { settle } from './scene.ts'

const open = (options: Parameters<typeof house>[0] = {}) => house({ provider: scriptedProvider(), ...options })
type Home = Awaited<ReturnType<typeof open>>

const titled = ({ runtime }: Home, title: string) =>
  runtime.stores.tasks.list({ retired: true }).find((task) => task.title === title)

/** Seconds, as they stand there. */
const ago = ({ clock }: Home, ms: number) => (clock.now() - ms) / 1000

describe('tasks of an OpenHuman', () => {
  it('come over with their schedules in UTC, and a second import changes nothing', async () => {
    const home = await open()
    const there = openhuman()
    const soon = home.clock.now() / 1000 + 3600
    there.mind({
      subconscious_tasks: [
        { id: uuid(1), title: 'Check the build', recurrence: 'pending', created_at: ago(home, day) },
        { id: uuid(2), title: 'Weekly digest', recurrence: 'cron:0 9 * * 2', created_at: ago(home, day) + 0.25 },
        { id: uuid(3), title: 'Look at the offer', recurrence: 'once', next_run_at: soon, created_at: ago(home, 9) },
        { id: uuid(4), title: 'Old one', recurrence: 'once', completed: 1, last_run_at: ago(home, hour) },
        { id: uuid(5), title: 'Switched off', enabled: 0, created_at: ago(home, day) },
      ],
    })
    const first = await importing(home, there.dir)
    expect(first.counts.tasks).toEqual([5, 0, 0])
    expect(titled(home, 'Check the build')).toMatchObject({
      source: 'user',
      intent: 'read',
      schedule: { kind: 'every-tick' },
      createdAt: home.clock.now() - day,
      judgedThrough: 0,
    })
    expect(titled(home, 'Weekly digest')!.schedule).toEqual({ kind: 'cron', expression: '0 9 * * 1', timezone: 'UTC' })
    const next = new Date(titled(home, 'Weekly digest')!.nextRunAt!)
    expect([next.getUTCDay(), next.getUTCHours()]).toEqual([1, 9])
    expect(titled(home, 'Look at the offer')!.nextRunAt).toBe(Math.round(soon * 1000))
    expect(titled(home, 'Old one')).toMatchObject({ completed: true, nextRunAt: null })
    expect(titled(home, 'Switched off')!.enabled).toBe(false)

    const before = home.runtime.stores.tasks.list({ retired: true })
    const second = await importing(home, there.dir)
    expect(second.counts.tasks).toEqual([0, 5, 0])
    expect(home.runtime.stores.tasks.list({ retired: true })).toEqual(before)
  })

  it('takes only what is new the second time, also where something was renamed or deleted here', async () => {
    const home = await open()
    const there = openhuman()
    there.mind({
      subconscious_tasks: [
        { id: uuid(1), title: 'One' },
        { id: uuid(2), title: 'Two' },
      ],
    })
    await importing(home, there.dir)
    await home.runtime.tasks.edit('One', { title: 'Uno' })
    await home.runtime.tasks.remove('Two')
    there.mind({ subconscious_tasks: [{ id: uuid(3), title: 'Three' }] })
    expect((await importing(home, there.dir)).counts.tasks).toEqual([1, 2, 0])
    expect(home.runtime.tasks.list().map(({ title }) => title)).toEqual(expect.arrayContaining(['Uno', 'Three']))
    expect(titled(home, 'One')).toBeUndefined()
    expect(titled(home, 'Two')).toMatchObject({ retired: true })
  })

  it('never doubles a task that every workspace has, nor one whose title is open here', async () => {
    const home = await open()
    await home.runtime.tasks.add({ title: 'Mine already' })
    const count = home.runtime.stores.tasks.list().length
    const there = openhuman()
    const titles = [
      'Check connected skills for errors or disconnections',
      'Review new memory updates for actionable items',
      'Monitor system health (Ollama, memory, connections)',
      'Mine already',
    ]
    there.mind({
      subconscious_tasks: titles.map((title, n) => ({ id: uuid(n), title, source: n < 3 ? 'system' : 'user' })),
    })
    const { counts, changed } = await importing(home, there.dir)
    expect(counts.tasks).toEqual([0, 4, 0])
    expect(changed).toEqual(['tasks: An open task has this title already: both are one.'])
    expect(home.runtime.stores.tasks.list()).toHaveLength(count)
    // Even after its title has changed here it is still the same.
    await home.runtime.tasks.edit('Mine already', { title: 'Still mine' })
    expect((await importing(home, there.dir)).counts.tasks).toEqual([0, 4, 0])
  })

  it('refuses a schedule that there is no like of here, with the reason', async () => {
    const home = await open()
    const there = openhuman()
    const recurrences = ['cron:0 9 1 * 2', 'cron:* * * * * *', 'cron:0 9 30 2 *', 'sometimes']
    there.mind({
      subconscious_tasks: recurrences.map((recurrence, n) => ({ id: uuid(n), title: `T${n}`, recurrence })),
    })
    const { counts, findings } = await importing(home, there.dir)
    expect(counts.tasks).toEqual([0, 0, 4])
    expect(findings.map(({ text, examples }) => [text, ...examples])).toEqual([
      [expect.stringContaining('must fall together'), 'T0'],
      [expect.stringContaining('more often than once a minute'), 'T1'],
      [expect.stringContaining('no day that ever comes'), 'T2'],
      [expect.stringContaining('neither once, pending nor cron'), 'T3'],
    ])
  })

  it('may write only after the user has said so on a card, and many ask no more than 20 times', async () => {
    const home = await open()
    const there = openhuman()
    const titles = Array.from({ length: 25 }, (_, n) => `Email the team about build ${n}`)
    there.mind({ subconscious_tasks: titles.map((title, n) => ({ id: uuid(n), title })) })
    const { counts } = await importing(home, there.dir)
    expect(counts.tasks).toEqual([25, 0, 0])
    await settle(home)
    expect(home.cards()).toHaveLength(20)
    expect(home.cards()[0]).toMatchObject({ kind: 'confirmWrite', summary: expect.stringContaining('imported task') })
    expect(titled(home, titles[0]!)).toMatchObject({ intent: 'read', asksToWrite: true })
    await importing(home, there.dir)
    await settle(home)
    expect(home.cards()).toHaveLength(20)
  })

  it('cuts long titles, puts them on one line and makes one task of equal ones', async () => {
    const home = await open()
    const there = openhuman()
    const titles = ['x'.repeat(600), 'Two\nlines\u001B[31m', 'Same', ' Same ', '', '   ']
    there.mind({ subconscious_tasks: titles.map((title, n) => ({ id: uuid(n), title })) })
    const { counts, changed, refused } = await importing(home, there.dir)
    expect(counts.tasks).toEqual([3, 1, 2])
    expect(changed).toHaveLength(3)
    expect(refused).toEqual(['tasks: It has no title.'])
    const own = home.runtime.tasks.list().filter(({ origin }) => origin === 'user')
    expect(own.map(({ title }) => title.length)).toEqual(expect.arrayContaining([500, 4]))
    for (const { title } of own) expect(title).not.toMatch(/\p{Cc}/u)
  })
})

describe('the log of an OpenHuman', () => {
  const decisions = ['act', 'noop', 'escalate', 'in_progress', 'failed', 'cancelled', 'dismissed', 'odd']

  async function withLog() {
    const home = await open()
    const there = openhuman()
    const at = ago(home, 2 * hour)
    there.mind({
      subconscious_tasks: [{ id: uuid(1), title: 'Check the build' }],
      subconscious_log: [
        ...decisions.map((decision, n) => ({
          id: uuid(100 + n),
          task_id: uuid(1),
          tick_at: at + n,
          decision,
          result: `result ${n}`,
          duration_ms: 1500,
        })),
        { id: uuid(200), task_id: uuid(99), tick_at: at, decision: 'act' },
        { id: uuid(201), task_id: uuid(1), tick_at: ago(home, 500 * day), decision: 'act' },
        { id: uuid(202), task_id: uuid(1), decision: 'act' },
      ],
    })
    return { home, there, at }
  }

  it('becomes evaluations that ended then, each by what had become of it', async () => {
    const { home, there, at } = await withLog()
    const { counts, refused } = await importing(home, there.dir)
    expect(counts.log).toEqual([7, 0, 4])
    expect(refused).toHaveLength(4)
    const rows = home.runtime.log({ limit: 50 }).reverse()
    expect(rows.map(({ state }) => state)).toEqual([
      'acted',
      'skipped',
      'dismissed',
      'cancelled',
      'failed',
      'cancelled',
      'dismissed',
    ])
    expect(rows[0]).toMatchObject({
      text: 'result 0',
      decision: 'act',
      tainted: true,
      tick: null,
      createdAt: Math.round(at * 1000),
      settledAt: Math.round(at * 1000) + 1500,
    })
    expect(rows[4]!.failure).toEqual({ code: 'import/failed-there', message: 'result 4' })
    expect((await importing(home, there.dir)).counts.log).toEqual([0, 7, 4])
  })

  it('wakes nobody, judges nothing and moves no mark', async () => {
    const { home, there } = await withLog()
    const actors = home.runtime.host.liveActors
    await importing(home, there.dir)
    await settle(home)
    expect(home.runtime.host.liveActors).toBe(actors)
    expect(titled(home, 'Check the build')).toMatchObject({ judgedThrough: 0, lastRunAt: null, attempts: 0 })
    const tick = await home.tick()
    expect(tick.of('Check the build')).toBeDefined()
  })

  it('is explained like any other', async () => {
    const { home, there } = await withLog()
    await importing(home, there.dir)
    const [last] = home.runtime.log({ limit: 1 })
    expect(home.runtime.whyEvaluation(last!.id)).toMatchObject({ journal: [], task: { title: 'Check the build' } })
    expect(home.runtime.whyTask('Check the build').last?.id).toBe(last!.id)
  })
})

describe('escalations of an OpenHuman', () => {
  it('come over answered, and an open one as withdrawn: none can be approved here', async () => {
    const home = await open()
    const there = openhuman()
    const at = ago(home, hour)
    const one = (n: number, status: string, log: string | null) => ({
      id: uuid(300 + n),
      task_id: uuid(1),
      log_id: log,
      title: `Ask ${n}`,
      description: `Shall I ${n}?`,
      priority: n === 1 ? 'critical' : 'whatever',
      status,
      created_at: at,
      resolved_at: status === 'pending' ? null : at + 60,
    })
    there.mind({
      subconscious_tasks: [{ id: uuid(1), title: 'Check the build' }],
      subconscious_log: [{ id: uuid(100), task_id: uuid(1), tick_at: at, decision: 'escalate' }],
      subconscious_escalations: [
        one(1, 'pending', uuid(100)),
        one(2, 'approved', null),
        one(3, 'dismissed', uuid(100)),
        one(4, 'lost', null),
      ],
    })
    const { counts, changed } = await importing(home, there.dir)
    expect(counts.escalations).toEqual([3, 0, 1])
    expect(changed).toEqual([expect.stringContaining('cannot be approved')])
    expect(home.cards()).toEqual([])
    const cards = home.runtime.stores.escalations.list(10)
    expect(cards.map(({ title, state }) => `${title} ${state}`).sort()).toEqual([
      'Ask 1 withdrawn',
      'Ask 2 approved',
      'Ask 3 dismissed',
    ])
    const asked = cards.find(({ title }) => title === 'Ask 1')!
    expect(asked).toMatchObject({ priority: 'critical', calls: [], answeredBy: 'OpenHuman' })
    await expect(home.runtime.approve(asked)).rejects.toMatchObject({ code: 'approval/answered' })
    expect(home.runtime.stores.evaluations.get(asked.id)).toMatchObject({
      state: 'dismissed',
      reason: 'Open in OpenHuman when it was imported',
      text: 'Shall I 1?',
    })
    expect((await importing(home, there.dir)).counts.escalations).toEqual([0, 3, 1])
    expect(home.runtime.log({ limit: 50 })).toHaveLength(3)
  })
})

describe('values that a world of there kept', () => {
  it('become those of the memory world, unless it has its own', async () => {
    const home = await open()
    const there = openhuman()
    await home.runtime.host.write(() => home.runtime.stores.records.keep('tinyplace:last_tick_at', 1))
    there.mind({
      subconscious_state: [
        { key: 'last_tick_at', value: 5.5 },
        { key: 'tinyplace:last_tick_at', value: 7 },
        { key: 'other', value: 1 },
      ],
      subconscious_state_text: [
        { key: 'baseline_checkpoint_id', value: 'old' },
        { key: 'memory:baseline_checkpoint_id', value: 'newer' },
      ],
    })
    const { counts, refused } = await importing(home, there.dir)
    expect(counts.state).toEqual([2, 2, 1])
    expect(refused).toEqual(['state: A value of this name has no place here.'])
    const { records } = home.runtime.stores
    expect(records.kept('memory:last_tick_at')).toBe(5.5)
    expect(records.kept('tinyplace:last_tick_at')).toBe(1)
    expect(records.kept('memory:baseline_checkpoint_id')).toBe('newer')
    expect((await importing(home, there.dir)).counts.state).toEqual([0, 4, 1])
  })
})

describe('HEARTBEAT.md of an OpenHuman', () => {
  const lines = '# Tasks\n\n- Watch the build\n- Read the news\n'
  const own = (home: Home) => readFileSync(join(home.root, 'HEARTBEAT.md'), 'utf8')

  it('is added to ours while that has no task, below what stands there', async () => {
    const home = await open()
    await home.write('HEARTBEAT.md', '# My own words')
    const there = openhuman()
    there.write('HEARTBEAT.md', lines)
    expect((await importing(home, there.dir)).counts).toEqual({ heartbeat: [2, 0, 0] })
    expect(own(home)).toBe('# My own words\n- Watch the build\n- Read the news\n')
    expect(titled(home, 'Watch the build')).toMatchObject({ origin: 'heartbeat', source: 'system' })
    expect((await importing(home, there.dir)).counts).toEqual({ heartbeat: [0, 2, 0] })
  })

  it('is left to the user once ours has tasks', async () => {
    const home = await open({ tasks: ['Read the news'] })
    const there = openhuman()
    there.write('HEARTBEAT.md', lines)
    const { counts, findings } = await importing(home, there.dir)
    expect(counts.heartbeat).toEqual([0, 1, 1])
    expect(findings[0]).toMatchObject({ effect: 'refused', examples: ['Watch the build'] })
    expect(own(home)).toBe('- Read the news\n')
  })

  it.each([
    ['in an open code block', '```\n', lines],
    ['in a comment that is open', '<!-- later\n', lines],
    ['that cannot be read', '', Buffer.from([0xff, 0xfe, 0x00])],
  ])('is not added %s', async (_, ours, theirs) => {
    const home = await open()
    await home.write('HEARTBEAT.md', ours)
    const there = openhuman()
    there.write('HEARTBEAT.md', theirs)
    expect((await importing(home, there.dir)).refused).toHaveLength(1)
    expect(own(home)).toBe(ours)
  })

  it('is not added to a workspace that is not trusted', async () => {
    const home = await open({ trusted: false })
    const there = openhuman()
    there.write('HEARTBEAT.md', lines)
    const { refused } = await importing(home, there.dir)
    expect(refused).toEqual([expect.stringContaining('not trusted')])
    expect(own(home)).toBe('')
  })
})

describe('a trial', () => {
  it('says what would be done and does nothing', async () => {
    const home = await open()
    const there = openhuman()
    there.write('HEARTBEAT.md', '- Watch the build\n')
    there.mind({
      subconscious_tasks: [{ id: uuid(1), title: 'Email the team' }],
      subconscious_log: [{ id: uuid(2), task_id: uuid(1), tick_at: ago(home, hour), decision: 'act', result: 'x' }],
      subconscious_state: [{ key: 'last_tick_at', value: 5.5 }],
    })
    const before = home.runtime.stores.tasks.list({ retired: true })
    const trial = await importing(home, there.dir, true)
    await settle(home)
    expect(trial).toMatchObject({
      dryRun: true,
      counts: { heartbeat: [1, 0, 0], tasks: [1, 0, 0], log: [1, 0, 0], state: [1, 0, 0] },
    })
    expect(home.runtime.stores.tasks.list({ retired: true })).toEqual(before)
    expect(home.runtime.log({ limit: 5 })).toEqual([])
    expect(home.cards()).toEqual([])
    expect(home.runtime.stores.records.kept('memory:last_tick_at')).toBeUndefined()
    expect(readFileSync(join(home.root, 'HEARTBEAT.md'), 'utf8')).toBe('')
    expect((await importing(home, there.dir)).counts).toEqual(trial.counts)
  })
})

describe('tables of another version', () => {
  it('are read by other names, and what has no place here is told', async () => {
    const home = await open()
    const there = openhuman()
    there.mind(
      {
        tasks: [{ id: 7, title: 'Numbered', created_at: '2026-01-02T03:04:05Z', mood: 'fine' }],
        log: [{ id: 1, task_id: 7, decision: 'act', created_at: String(ago(home, hour)) }],
        subconscious_reflections: [{ id: 'r1' }, { id: 'r2' }],
      },
      {
        tasks: 'id INTEGER, title TEXT, created_at TEXT, mood TEXT',
        log: 'id INTEGER, task_id INTEGER, decision TEXT, created_at TEXT',
        subconscious_reflections: 'id TEXT',
      },
    )
    const { counts, notes } = await importing(home, there.dir)
    expect(counts).toMatchObject({ tasks: [1, 0, 0], log: [1, 0, 0] })
    expect(titled(home, 'Numbered')!.createdAt).toBe(Math.min(home.clock.now(), Date.parse('2026-01-02T03:04:05Z')))
    expect(notes).toEqual(
      expect.arrayContaining([
        'tasks: The column mood of tasks has no place here.',
        'tasks: The table subconscious_reflections has no place here; its rows were left out: 2.',
        'escalations: There is no table subconscious_escalations.',
      ]),
    )
  })

  it('whose needed column is gone is left out whole', async () => {
    const home = await open()
    const there = openhuman()
    there.mind({ subconscious_tasks: [{ id: uuid(1) }, { id: uuid(2) }] }, { subconscious_tasks: 'id TEXT' })
    const { counts, refused } = await importing(home, there.dir)
    expect(counts.tasks).toEqual([0, 0, 2])
    expect(refused).toEqual(['tasks: The table subconscious_tasks has no column title.'])
  })

  it('takes the rows that can be read from among those that cannot', async () => {
    const home = await open()
    const there = openhuman()
    there.mind({
      subconscious_tasks: [
        { id: uuid(1), title: 'Good' },
        { id: uuid(2), title: Buffer.from([1, 2]) },
        { id: uuid(3), title: 'Bad time', created_at: -5 },
        { id: uuid(4), title: 'Bad flag', enabled: 'perhaps' },
        { id: uuid(5), title: 'No time', created_at: 1e300 },
      ],
    })
    const { counts } = await importing(home, there.dir)
    expect(counts.tasks).toEqual([1, 0, 4])
  })
})
