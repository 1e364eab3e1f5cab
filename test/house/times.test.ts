import { describe, expect, it } from 'vitest'
import { day, hour, minute } from '../../src/domain/clock.ts'
import { HandClock } from '../support/clock.ts'
import { ada, mail, mailer, pass, proposes, settle, until } from './scene.ts'
import { daily, heldJudge, hourly, local, rowOf, scripted } from './scripted-house.ts'

const monday = '2026-04-06T09:00:00+02:00'

describe('a task with a time of its own', () => {
  it('fires on Mondays although nothing has changed', async () => {
    const clock = new HandClock('2026-04-03T12:00:00+02:00')
    const { home, ranOf } = await scripted({}, { clock, settings: daily })
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
    const { home, ranOf } = await scripted(
      { decide: () => ({ decision: 'act', text: 'done' }) },
      { clock, settings: hourly },
    )
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
    const { home, ranOf } = await scripted(
      { decide: () => ({ decision: 'escalate' }), analyse: () => proposes('Mail', [mail('team@example.org')]) },
      { tools: [mailer().tool] },
    )
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
