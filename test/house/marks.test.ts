import { describe, expect, it } from 'vitest'
import { day, hour, minute } from '../../src/domain/clock.ts'
import { HandClock } from '../support/clock.ts'
import { mail, mailer, pass, proposes, settle, until } from './scene.ts'
import { daily, heldJudge, hourly, local, marksOf, rowOf, scripted } from './scripted-house.ts'

const monday = '2026-04-06T09:00:00+02:00'

describe('the marks of a task', () => {
  it('give a weekly task its whole week, with daily ticks in between', async () => {
    const clock = new HandClock('2026-03-30T10:00:00+02:00')
    const { home, shownTo } = await scripted({}, { clock, settings: hourly })
    const weekly = await home.runtime.tasks.add({
      title: 'Sum up the week',
      schedule: { kind: 'cron', expression: '0 9 * * 1' },
    })
    const daily = await home.runtime.tasks.add({ title: 'Look at today' })
    const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
    for (const name of days) {
      await home.write(`${name}.md`, `what happened on ${name}`)
      await home.tick()
      clock.set(clock.now() + day)
    }
    expect(shownTo(weekly)).toEqual([])
    clock.set(Date.parse(monday))
    await home.tick()
    expect(shownTo(weekly)).toEqual([expect.arrayContaining(days.map((name) => `${name}.md`))])
    expect(shownTo(daily).slice(1)).toEqual(days.slice(1).map((name) => [`${name}.md`]))
  })

  it('stay where they were when a tick fails or is superseded, and so do the schedules', async () => {
    const { judge, asked } = heldJudge()
    let down = true
    const { home, shownTo } = await scripted({
      judge: (request, signal) => {
        if (down) throw new Error('the model is down')
        return judge(request, signal)
      },
    })
    const task = await home.runtime.tasks.add({ title: 'Look', schedule: { kind: 'every', minutes: 60 } })
    await home.write('a.md', 'a')
    const before = marksOf(home)
    expect((await home.tick()).state).toBe('failed')
    expect(marksOf(home)).toEqual(before)
    expect(home.runtime.status().worlds[0]).toMatchObject({ consecutiveFailures: 1, lastTickAt: null })

    down = false
    const first = await home.runtime.trigger()
    await until(() => asked.length === 1)
    const second = await home.runtime.trigger()
    await until(() => asked.length === 2)
    expect((await home.runtime.settled(first)).state).toBe('superseded')
    expect(marksOf(home)).toEqual(before)
    asked[1]?.answer()
    expect((await home.runtime.settled(second)).state).toBe('done')
    expect(shownTo(task)).toEqual([['a.md'], ['a.md'], ['a.md']].map((keys) => expect.arrayContaining(keys)))
    expect(home.runtime.status().worlds[0]).toMatchObject({ consecutiveFailures: 0 })
    expect(rowOf(home, task).judgedThrough).toBeGreaterThan(0)
    expect(asked[0]?.signal.aborted).toBe(true)
  })

  it('leave what arrives during a tick to the next one', async () => {
    const { judge, asked } = heldJudge()
    const { home, shownTo } = await scripted({ judge })
    const task = await home.runtime.tasks.add({ title: 'Look' })
    await home.write('early.md', 'early')
    const tick = await home.runtime.trigger()
    await until(() => asked.length === 1)
    await home.write('late.md', 'late')
    asked[0]?.answer()
    await home.runtime.settled(tick)
    const next = await home.runtime.trigger()
    await until(() => asked.length === 2)
    asked[1]?.answer()
    await home.runtime.settled(next)
    expect(shownTo(task)).toEqual([expect.arrayContaining(['early.md']), ['late.md']])
    expect(shownTo(task)[0]).not.toContain('late.md')
  })

  it('bring back only the window of the one evaluation of thirty that failed', async () => {
    let broken = true
    const { home, shownTo, ranOf } = await scripted({
      judge: ({ report }) => ({
        text: JSON.stringify({
          evaluations: report.tasks
            .filter(({ title }) => !broken || title !== 'Task 17')
            .map(({ id }) => ({ task_id: id, decision: 'skip' })),
        }),
        usage: { promptTokens: 0, completionTokens: 0 },
        cutOff: false,
      }),
    })
    const tasks = []
    for (let n = 1; n <= 30; n++) tasks.push(await home.runtime.tasks.add({ title: `Task ${n}` }))
    const [other, bad] = [tasks[3]!, tasks[16]!]
    await home.tick()
    await home.write('a.md', 'a')
    expect((await home.tick()).state).toBe('done')
    await home.write('b.md', 'b')
    broken = false
    home.clock.set(rowOf(home, bad).retryAt!)
    const third = await home.tick()
    expect(shownTo(other).at(-1)).toEqual(['b.md'])
    expect(shownTo(bad).at(-1)).toEqual(expect.arrayContaining(['a.md', 'b.md']))
    const runs = ranOf(bad)
    expect(runs.map(({ state }) => state)).toEqual(['failed', 'skipped'])
    expect(runs[0]?.failure?.code).toBe('model/no-verdict')
    expect(runs[1]?.retryOf).toBe(runs[0]?.id)
    expect(runs[1]?.from).toBe(runs[0]?.from)
    expect(ranOf(other).map(({ state }) => state)).toEqual(['skipped', 'skipped', 'skipped'])
    expect(third.state).toBe('done')
    expect(home.runtime.status().worlds[0]?.consecutiveFailures).toBe(0)
  })
})

describe('a failed evaluation', () => {
  const failing = { decide: () => ({ decision: 'act', needs: 'text' }) as const }
  const execute = () => {
    throw new Error('no text today')
  }

  it('is retried five times, ever later, and then its task is paused with the reason', async () => {
    const { home, ranOf } = await scripted(
      { ...failing, execute },
      { settings: { 'heartbeat.interval_minutes': 1440 } },
    )
    const task = await home.runtime.tasks.add({ title: 'Write it up' })
    await home.write('a.md', 'a')
    await home.runtime.start()
    await pass(home, 2 * hour)
    const runs = ranOf(task)
    expect(runs.map(({ state }) => state)).toEqual(Array(6).fill('failed'))
    const waits = runs.slice(1).map(({ createdAt }, n) => (createdAt - runs[n]!.createdAt) / minute)
    expect(waits).toEqual([1, 2, 4, 8, 16])
    expect(runs.slice(1).map(({ retryOf }) => retryOf)).toEqual(runs.slice(0, -1).map(({ id }) => id))
    expect(new Set(runs.map(({ from }) => from)).size).toBe(1)
    expect(home.runtime.status().pausedTasks).toEqual([
      { id: task.id, title: 'Write it up', why: expect.stringMatching(/no text today.*undermind tasks enable/) },
    ])
    expect(home.runtime.status().worlds[0]?.consecutiveFailures).toBe(0)
  })

  it('counts for nothing once a retry has gone well', async () => {
    let broken = true
    const { home, ranOf } = await scripted({
      ...failing,
      execute: () => (broken ? execute() : { text: 'ok', sources: [] }),
    })
    const task = await home.runtime.tasks.add({ title: 'Write it up' })
    await home.runtime.start()
    await settle(home)
    broken = false
    await pass(home, 2 * minute)
    expect(ranOf(task).map(({ state }) => state)).toEqual(['failed', 'acted'])
    expect(rowOf(home, task)).toMatchObject({ attempts: 0, retryAt: null, retryOf: null, paused: null })
  })

  it('of an effect that its task asks for waits before it tries again, too', async () => {
    const { tool } = mailer(() => Promise.reject(new Error('the line is dead')))
    const append = { ...tool, name: 'append_file', target: () => 'JOURNAL.md' }
    const { home, ranOf } = await scripted(
      {
        decide: () => ({ decision: 'escalate' }),
        analyse: () => proposes('Note it', [{ ...mail('x@example.org'), tool: 'append_file' }]),
      },
      { tools: [append] },
    )
    const task = await home.runtime.tasks.add({ title: 'Append the summary to JOURNAL.md' })
    await home.runtime.start()
    await settle(home)
    expect(ranOf(task).map(({ state }) => state)).toEqual(['failed'])
    expect(rowOf(home, task)).toMatchObject({ attempts: 1, retryAt: home.clock.now() + minute })
  })
})

describe('a due task without a change in its inputs', () => {
  it('is not judged, and the tick that finds nothing else is quiet and costs nothing', async () => {
    const { home, provider } = await scripted({}, { files: { 'a.md': 'a' } })
    const task = await home.runtime.tasks.add({ title: 'Look' })
    await home.tick()
    const asked = provider.calls.judge.length
    const before = rowOf(home, task)
    home.clock.set(home.clock.now() + hour)
    const quiet = await home.tick()
    expect(quiet).toMatchObject({ state: 'quiet', modelCalls: 0, evaluations: [], callsAvoided: 1 })
    expect(provider.calls.judge).toHaveLength(asked)
    expect(rowOf(home, task)).toEqual(before)
    expect(home.runtime.status().worlds[0]?.lastTickAt).toBe(home.clock.now())
  })

  it('is judged all the same when the user forces it', async () => {
    const { home } = await scripted({}, { files: { 'a.md': 'a' } })
    await home.runtime.tasks.add({ title: 'Look' })
    await home.tick()
    expect((await home.tick()).of('Look')).toBeUndefined()
    expect((await home.tick(true)).of('Look')?.state).toBe('skipped')
  })

  it('is one that looks elsewhere: only tasks whose inputs changed are judged', async () => {
    const { home } = await scripted({}, { files: { 'inbox/old.md': 'x', 'notes/old.md': 'x' } })
    await home.runtime.tasks.add({ title: 'Read the inbox', inputs: ['inbox/**'] })
    await home.runtime.tasks.add({ title: 'Read the notes', inputs: ['notes/*.md'] })
    await home.runtime.tasks.add({ title: 'Read it all' })
    await home.tick()
    await home.write('inbox/new.md', 'new')
    const tick = await home.tick()
    expect(tick.of('Read the inbox')?.state).toBe('skipped')
    expect(tick.of('Read it all')?.state).toBe('skipped')
    expect(tick.of('Read the notes')).toBeUndefined()
    expect(tick.callsAvoided).toBe(1)
  })

  it('moves its own schedule on, one by minutes and one by the calendar', async () => {
    const clock = new HandClock('2026-04-06T08:30:00+02:00')
    const { home, ranOf } = await scripted({}, { clock, settings: daily, files: { 'a.md': 'a' } })
    const every = await home.runtime.tasks.add({ title: 'Every two hours', schedule: { kind: 'every', minutes: 120 } })
    const weekly = await home.runtime.tasks.add({
      title: 'On Mondays, if anything',
      schedule: { kind: 'cron', expression: '0 9 * * 1' },
      onlyIfChanged: true,
    })
    await home.runtime.start()
    await pass(home, 7 * day + hour)
    expect(ranOf(weekly).map(({ createdAt }) => local(createdAt))).toEqual(['2026-04-06T09:00'])
    expect(local(rowOf(home, weekly).nextRunAt)).toBe('2026-04-20T09:00')
    expect(ranOf(every)).toHaveLength(1)
    await home.write('a.md', 'changed on a Monday afternoon')
    await pass(home, day)
    expect(ranOf(weekly)).toHaveLength(1)
    await pass(home, 6 * day)
    expect(ranOf(weekly).map(({ createdAt }) => local(createdAt))).toEqual(['2026-04-06T09:00', '2026-04-20T09:00'])
  })
})
