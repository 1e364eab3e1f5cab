import { describe, expect, it, onTestFinished } from 'vitest'
import { day, hour, minute } from '../../src/domain/clock.ts'
import type { Evaluation } from '../../src/domain/evaluation.ts'
import type { JudgeRequest, RawAnswer } from '../../src/domain/model.ts'
import type { Task } from '../../src/domain/task.ts'
import { type Script, scriptedProvider } from '../../src/models/scripted.ts'
import { HandClock } from '../support/clock.ts'
import { type House, type HouseOptions, house } from '../support/house.ts'
import { ada, gate, mail, mailer, pass, proposes, settle, until } from './scene.ts'

const monday = '2026-04-06T09:00:00+02:00'
const hourly = { 'heartbeat.interval_minutes': 60 }

/** A house with a scripted model, without the seeded task, so that only the test's own tasks are judged. */
async function scripted(script: Script = {}, options: HouseOptions = {}) {
  const provider = scriptedProvider(script)
  const home = await house({ provider, ...options })
  await home.runtime.tasks.edit('task_seed_memory', { enabled: false })
  /** What the model was shown for a task, one list of items for each time it was asked. */
  const shownTo = ({ id }: Pick<Task, 'id'>): string[][] =>
    provider.calls.judge
      .filter(({ report, repair }) => repair === undefined && report.tasks.some((task) => task.id === id))
      .map(({ report }) => report.changes.map(({ key }) => key))
  const ranOf = ({ id }: Pick<Task, 'id'>): Evaluation[] =>
    home.runtime
      .log({ task: id, limit: 100 })
      .toSorted((a, b) => a.createdAt - b.createdAt || generation(a) - generation(b))
  return { home, provider, shownTo, ranOf }
}

const generation = ({ tick }: Evaluation): number => Number(tick?.split('_').at(-1) ?? 0)
const marksOf = (home: House): Task[] => home.runtime.tasks.list().toSorted((a, b) => (a.id < b.id ? -1 : 1))
const rowOf = (home: House, { id }: Pick<Task, 'id'>): Task => home.runtime.stores.tasks.get(id)!
const local = (at: number | null | undefined): string | null =>
  at == null ? null : new Date(at + 2 * hour).toISOString().slice(0, 16)

/** A judge that answers when the test says so, or fails when nobody wants its answer any more. */
function heldJudge() {
  const asked: { request: JudgeRequest; answer: () => void; signal: AbortSignal }[] = []
  const judge = (request: JudgeRequest, signal: AbortSignal): Promise<RawAnswer> =>
    new Promise((resolve, reject) => {
      const evaluations = request.report.tasks.map(({ id }) => ({ task_id: id, decision: 'skip' }))
      const text = JSON.stringify({ evaluations })
      const usage = { promptTokens: 0, completionTokens: 0 }
      asked.push({ request, signal, answer: () => resolve({ text, usage, cutOff: false }) })
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  onTestFinished(() => {
    for (const { answer } of asked) answer()
  })
  return { judge, asked }
}

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
    const { home, ranOf } = await scripted({}, { clock, settings: hourly, files: { 'a.md': 'a' } })
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

describe('a task with a time of its own', () => {
  it('fires on Mondays although nothing has changed', async () => {
    const clock = new HandClock('2026-04-03T12:00:00+02:00')
    const { home, ranOf } = await scripted({}, { clock, settings: hourly })
    const reminder = await home.runtime.tasks.add({
      title: 'Remind me to send the report',
      schedule: { kind: 'cron', expression: '0 9 * * 1' },
    })
    await home.runtime.start()
    await pass(home, 14 * day)
    expect(ranOf(reminder).map(({ createdAt }) => local(createdAt))).toEqual(['2026-04-06T09:00', '2026-04-13T09:00'])
  })

  it('waits for its first occurrence and runs at its minute, not at the next beat', async () => {
    const clock = new HandClock('2026-04-06T10:00:00+02:00')
    const { home, ranOf } = await scripted({}, { clock, settings: hourly })
    await home.runtime.start()
    await pass(home, 5 * minute)
    const task = await home.runtime.tasks.add({ title: 'Look', schedule: { kind: 'cron', expression: '17 10 * * *' } })
    await home.write('a.md', 'a')
    await home.tick(true)
    expect(ranOf(task)).toEqual([])
    await pass(home, hour)
    expect(ranOf(task).map(({ createdAt }) => local(createdAt))).toEqual(['2026-04-06T10:17'])
  })

  it('whose minute comes while a tick runs does not wait for the next beat', async () => {
    const clock = new HandClock('2026-04-06T08:59:30+02:00')
    const { judge, asked } = heldJudge()
    const { home, ranOf } = await scripted({ judge }, { clock, settings: hourly })
    await home.runtime.tasks.add({ title: 'Something slow' })
    const task = await home.runtime.tasks.add({ title: 'Look', schedule: { kind: 'cron', expression: '0 9 * * *' } })
    await home.runtime.start()
    await until(() => asked.length === 1)
    clock.set(clock.now() + minute)
    asked[0]?.answer()
    await until(() => asked.length > 1)
    asked[1]?.answer()
    await settle(home)
    expect(ranOf(task).map(({ createdAt }) => local(createdAt))).toEqual(['2026-04-06T09:00'])
  })

  it('runs together with all others of its minute', async () => {
    const clock = new HandClock('2026-04-06T08:00:00+02:00')
    const { home, ranOf } = await scripted({}, { clock, settings: hourly })
    const tasks = []
    for (let n = 0; n < 12; n++) {
      tasks.push(
        await home.runtime.tasks.add({ title: `Look at ${n}`, schedule: { kind: 'cron', expression: '0 9 * * *' } }),
      )
    }
    await home.runtime.start()
    await pass(home, day)
    expect(tasks.map((task) => ranOf(task).length)).toEqual(Array(12).fill(1))
  })

  it('is caught up once after a week of downtime, or not at all if it is too late for it', async () => {
    const clock = new HandClock('2026-04-01T08:00:00+02:00')
    const { home, ranOf } = await scripted({}, { clock, settings: hourly })
    const daily = { kind: 'cron', expression: '0 9 * * *' }
    const once = await home.runtime.tasks.add({ title: 'Once is enough', schedule: daily })
    const never = await home.runtime.tasks.add({ title: 'Only on time', schedule: daily, catchUp: 'skip' })
    clock.set(Date.parse('2026-04-08T15:00:00+02:00'))
    await home.restart()
    await home.runtime.start()
    await pass(home, hour)
    expect(ranOf(once).map(({ createdAt }) => local(createdAt))).toEqual(['2026-04-08T15:00'])
    expect(ranOf(never)).toEqual([])
    const told = home.runtime.stores.records.notifications(10).map(({ title }) => title)
    expect(told).toEqual(['Missed: Only on time'])
    await pass(home, day)
    expect(ranOf(never).map(({ createdAt }) => local(createdAt))).toEqual(['2026-04-09T09:00'])
  })

  it('is left in place by Run now unless it is due', async () => {
    const clock = new HandClock('2026-04-06T08:00:00+02:00')
    const { home, ranOf } = await scripted({}, { clock })
    const task = await home.runtime.tasks.add({ title: 'Look', schedule: { kind: 'cron', expression: '0 9 * * *' } })
    await home.tick(true)
    expect([ranOf(task).length, local(rowOf(home, task).nextRunAt)]).toEqual([0, '2026-04-06T09:00'])
    clock.set(Date.parse(monday) + minute)
    await home.tick()
    expect([ranOf(task).length, local(rowOf(home, task).nextRunAt)]).toEqual([1, '2026-04-07T09:00'])
  })
})

describe('a task that is to be done once', () => {
  it('is over when it has acted, and stays until then', async () => {
    let act = false
    const { home, ranOf } = await scripted({
      decide: () => (act ? { decision: 'act', text: 'done' } : { decision: 'skip' }),
    })
    const task = await home.runtime.tasks.add({ title: 'Tell me when it arrives', schedule: { kind: 'once' } })
    await home.tick()
    expect(rowOf(home, task).completed).toBe(false)
    await home.write('parcel.md', 'it is here')
    act = true
    await home.tick()
    expect(ranOf(task).map(({ state }) => state)).toEqual(['skipped', 'acted'])
    expect(rowOf(home, task).completed).toBe(true)
    await home.write('parcel.md', 'and again')
    expect((await home.tick(true)).evaluations).toEqual([])
    expect(home.runtime.tasks.list().map(({ id }) => id)).not.toContain(task.id)
  })

  it('waits for its date', async () => {
    const clock = new HandClock('2026-04-06T08:00:00+02:00')
    const { home, ranOf } = await scripted({ decide: () => ({ decision: 'act', text: 'done' }) }, { clock })
    const at = '2026-04-06T18:30:00+02:00'
    const task = await home.runtime.tasks.add({ title: 'Remind me', schedule: { kind: 'once', at } })
    await home.write('a.md', 'a')
    await home.tick()
    expect(ranOf(task)).toEqual([])
    await home.runtime.start()
    await pass(home, day)
    expect(ranOf(task).map(({ createdAt }) => local(createdAt))).toEqual(['2026-04-06T18:30'])
  })

  it('is over when what it asked for has been approved and done, not before', async () => {
    const { tool, sent } = mailer()
    const { home } = await scripted(
      { decide: () => ({ decision: 'escalate' }), analyse: () => proposes('Mail', [mail('team@example.org')]) },
      { tools: [tool] },
    )
    const task = await home.runtime.tasks.add({ title: 'See to it', schedule: { kind: 'once' } })
    await home.tick()
    expect(rowOf(home, task).completed).toBe(false)
    const [card] = home.cards()
    await home.runtime.answers.approve(card!.id, card!.digest, ada)
    await settle(home)
    expect([sent.length, rowOf(home, task).completed]).toEqual([1, true])
  })
})

describe('a task that is not to run', () => {
  it('is not judged, and sees afterwards what happened meanwhile', async () => {
    const { home, shownTo } = await scripted()
    const task = await home.runtime.tasks.add({ title: 'Look' })
    await home.tick()
    await home.runtime.tasks.edit(task.id, { enabled: false })
    await home.write('meanwhile.md', 'x')
    await home.tick(true)
    expect(shownTo(task)).toHaveLength(1)
    await home.runtime.tasks.edit(task.id, { enabled: true })
    await home.tick()
    expect(shownTo(task)[1]).toEqual(['meanwhile.md'])
  })

  it('has its evaluation in progress cancelled, and its tick goes on', async () => {
    const { judge, asked } = heldJudge()
    const { home, ranOf } = await scripted({ judge })
    const [gone, stays] = [
      await home.runtime.tasks.add({ title: 'Look' }),
      await home.runtime.tasks.add({ title: 'Look elsewhere' }),
    ]
    const tick = await home.runtime.trigger()
    await until(() => asked.length === 1)
    await home.runtime.tasks.edit(gone.id, { enabled: false })
    asked[0]?.answer()
    expect((await home.runtime.settled(tick)).state).toBe('done')
    expect(ranOf(gone)).toMatchObject([{ state: 'cancelled', reason: 'The task was disabled' }])
    expect(ranOf(stays)).toMatchObject([{ state: 'skipped' }])
    expect(home.runtime.status().deadLetters).toBe(0)
  })

  it('is withdrawn with its cards when it is deleted, and its history stays', async () => {
    const { home, ranOf } = await scripted({
      decide: () => ({ decision: 'escalate' }),
      analyse: () => proposes('Mail', [mail('team@example.org')]),
    })
    const task = await home.runtime.tasks.add({ title: 'Look' })
    await home.tick()
    expect(home.cards()).toHaveLength(1)
    await home.runtime.tasks.remove(task.id)
    await settle(home)
    expect(home.cards()).toEqual([])
    expect(ranOf(task)).toMatchObject([{ state: 'dismissed', reason: 'Withdrawn' }])
    await home.write('a.md', 'a')
    expect((await home.tick(true)).evaluations).toEqual([])
    await expect(home.runtime.tasks.remove('task_seed_memory')).rejects.toThrow(/system task and cannot be deleted/)
  })
})

describe('a newer tick', () => {
  it('leaves an effect that was started alone: it goes on, is logged, and its task is not judged meanwhile', async () => {
    const held = gate()
    const { tool, sent } = mailer(() => held.passed)
    const append = { ...tool, name: 'append_file', target: () => 'JOURNAL.md' }
    const { judge, asked } = heldJudge()
    let hold = false
    const { home, ranOf } = await scripted(
      {
        judge: (request, signal) => {
          if (hold && request.report.tasks.length === 1) return judge(request, signal)
          const evaluations = request.report.tasks.map(({ id, title }) => ({
            task_id: id,
            decision: title.startsWith('Append') ? 'escalate' : 'act',
            ...(!title.startsWith('Append') && { needs: 'text' }),
          }))
          return {
            text: JSON.stringify({ evaluations }),
            usage: { promptTokens: 0, completionTokens: 0 },
            cutOff: false,
          }
        },
        analyse: () => proposes('Note it', [{ ...mail('journal', 'summary'), tool: 'append_file' }]),
        execute: (_step, signal) =>
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      },
      { tools: [append] },
    )
    onTestFinished(() => held.open())
    const effect = await home.runtime.tasks.add({ title: 'Append the summary to JOURNAL.md' })
    const other = await home.runtime.tasks.add({ title: 'Write something long' })
    const first = await home.runtime.trigger()
    await until(() => ranOf(effect)[0]?.phase === 'carryingOut' && ranOf(other)[0]?.phase === 'executing')
    hold = true
    await home.write('a.md', 'a')
    const second = await home.runtime.trigger()
    await until(() => asked.length === 1)
    expect((await home.runtime.settled(first)).state).toBe('superseded')
    expect(asked[0]?.request.report.tasks.map(({ id }) => id)).toEqual([other.id])
    expect(ranOf(other)[0]?.state).toBe('superseded')
    expect(ranOf(effect)).toMatchObject([{ state: 'inProgress', phase: 'carryingOut' }])
    held.open()
    asked[0]?.answer()
    expect((await home.runtime.settled(second)).state).toBe('done')
    await settle(home)
    expect(sent).toEqual(['journal: summary'])
    expect(ranOf(effect)).toMatchObject([{ state: 'acted', text: 'sent to journal' }])
    expect(rowOf(home, effect).judgedThrough).toBe(ranOf(effect)[0]?.through)
    expect(home.runtime.status().deadLetters).toBe(0)
  })

  it('lets the third one finish after two were superseded in a row, and follows it once', async () => {
    const { judge, asked } = heldJudge()
    const { home } = await scripted({ judge })
    await home.runtime.tasks.add({ title: 'Look' })
    const ticks = []
    for (let n = 1; n <= 3; n++) {
      ticks.push(await home.runtime.trigger())
      await until(() => asked.length === n)
    }
    const later = await Promise.all([
      home.runtime.trigger(),
      home.runtime.trigger({ force: true }),
      home.runtime.trigger(),
    ])
    expect(new Set(later).size).toBe(1)
    asked[2]?.answer()
    const states = await Promise.all(ticks.map(async (tick) => (await home.runtime.settled(tick)).state))
    expect(states).toEqual(['superseded', 'superseded', 'done'])
    await until(() => asked.length === 4)
    asked[3]?.answer()
    expect(await home.runtime.settled(later[0]!)).toMatchObject({ state: 'done', force: true, generation: 4 })
    await settle(home)
    expect(home.runtime.status().worlds[0]).toMatchObject({ generation: 4, totalTicks: 4, state: 'resting' })
  })

  it('waits for the end of a running one where ticks are to finish, and follows it once', async () => {
    const { judge, asked } = heldJudge()
    const { home, shownTo } = await scripted({ judge }, { settings: { 'heartbeat.overlap': 'finish' } })
    const task = await home.runtime.tasks.add({ title: 'Look' })
    const first = await home.runtime.trigger()
    await until(() => asked.length === 1)
    await home.write('late.md', 'late')
    const later = await Promise.all(Array.from({ length: 5 }, () => home.runtime.trigger()))
    expect(new Set(later)).toEqual(new Set([later[0]]))
    expect(later[0]).not.toBe(first)
    asked[0]?.answer()
    expect((await home.runtime.settled(first)).state).toBe('done')
    await until(() => asked.length === 2)
    asked[1]?.answer()
    expect((await home.runtime.settled(later[0]!)).state).toBe('done')
    await settle(home)
    expect(shownTo(task).at(-1)).toEqual(['late.md'])
    expect(home.runtime.status().worlds[0]?.totalTicks).toBe(2)
  })

  it('does as the setting says after it was changed', async () => {
    const { judge, asked } = heldJudge()
    const { home } = await scripted({ judge })
    await home.runtime.tasks.add({ title: 'Look' })
    await home.restart({ settings: { 'heartbeat.overlap': 'finish' } })
    const first = await home.runtime.trigger()
    await until(() => asked.length === 1)
    await home.runtime.trigger()
    asked[0]?.answer()
    expect((await home.runtime.settled(first)).state).toBe('done')
  })

  it('is one for triggers that come together', async () => {
    const { home } = await scripted()
    await home.runtime.tasks.add({ title: 'Look' })
    const ticks = await Promise.all(Array.from({ length: 10 }, () => home.runtime.trigger()))
    for (const tick of new Set(ticks)) await home.runtime.settled(tick)
    await settle(home)
    expect(home.runtime.status().worlds[0]?.totalTicks).toBeLessThanOrEqual(3)
    expect(home.runtime.status().worlds[0]?.state).toBe('resting')
  })

  it('never runs beside one that a pause made leave', async () => {
    const { judge, asked } = heldJudge()
    const { home, ranOf } = await scripted({ judge })
    const task = await home.runtime.tasks.add({ title: 'Look' })
    const first = await home.runtime.trigger()
    await until(() => asked.length === 1)
    const [, , second] = await Promise.all([home.runtime.pause(), home.runtime.resume(), home.runtime.trigger()])
    await until(() => asked.length === 2)
    asked[1]?.answer()
    expect((await home.runtime.settled(first)).state).toBe('cancelled')
    expect((await home.runtime.settled(second)).state).toBe('done')
    expect(ranOf(task).map(({ state }) => state)).toEqual(['cancelled', 'skipped'])
    expect(home.runtime.status().worlds[0]?.totalTicks).toBe(2)
  })
})
