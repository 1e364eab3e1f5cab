import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { day, hour, minute } from '../../src/domain/clock.ts'
import type { Evaluation } from '../../src/domain/evaluation.ts'
import type { Task } from '../../src/domain/task.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { openStore } from '../../src/store/open.ts'
import { HandClock } from '../support/clock.ts'
import { type House, house } from '../support/house.ts'
import { pass, settle, until } from './scene.ts'

const step = 5 * minute

/** What the clocks on the wall show, from the platform's own calendar: date and time at every five minutes of a span. */
function wall(zone: string, from: number, to: number): { at: number; date: string; time: string; weekday: string }[] {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
    hourCycle: 'h23',
  })
  const named = new Intl.DateTimeFormat('en-GB', { timeZone: zone, weekday: 'short' })
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, n) => {
    const at = from + n * step
    const [date = '', time = ''] = format.format(at).split(', ')
    return { at, date, time, weekday: named.format(at) }
  })
}

/** When a daily time comes: on each day the first minute at which the clock shows it, or, where it is left out, a later time. */
function occurrences(zone: string, time: string, from: number, to: number, weekdays?: string[]): number[] {
  const first = new Map<string, number>()
  const began = new Set<string>()
  for (const minuteOfDay of wall(zone, from - day, to)) {
    const { at, date } = minuteOfDay
    if (!began.has(date) && minuteOfDay.time < time) began.add(date)
    if (!began.has(date) || first.has(date) || minuteOfDay.time < time) continue
    if (weekdays === undefined || weekdays.includes(minuteOfDay.weekday)) first.set(date, at)
  }
  return [...first.values()].filter((at) => at > from && at <= to)
}

const cron = (expression: string, timezone: string) => ({ kind: 'cron', expression, timezone })
const iso = (at: number): string => new Date(at).toISOString().slice(0, 16)

const historyOf = (home: House, { id }: Pick<Task, 'id'>): Evaluation[] =>
  home.runtime.log({ task: id, limit: 1000 }).toReversed()

describe('thirty days with two changes to summer time, restarts and an outage', () => {
  it('meet every schedule exactly once and judge every change exactly once', { timeout: 60_000 }, async () => {
    const start = Date.parse('2026-03-05T00:10:00+01:00')
    const outage = { from: start + 13 * day, to: start + 14 * day }
    const clock = new HandClock(start)
    const isOut = () => clock.now() >= outage.from && clock.now() < outage.to
    const provider = scriptedProvider({
      record: false,
      decide: () => {
        if (isOut()) throw new Error('the model is down')
        return { decision: 'act', text: 'seen' }
      },
    })
    const home = await house({ clock, provider, settings: { 'heartbeat.interval_minutes': 720 } })
    const { tasks } = home.runtime
    const [berlin, newYork] = ['Europe/Berlin', 'America/New_York']
    const calendar = [
      { zone: berlin, time: '09:00', task: await tasks.add({ title: 'Morning', schedule: cron('0 9 * * *', berlin) }) },
      { zone: berlin, time: '02:30', task: await tasks.add({ title: 'Night', schedule: cron('30 2 * * *', berlin) }) },
      {
        zone: newYork,
        time: '02:30',
        task: await tasks.add({ title: 'There', schedule: cron('30 2 * * *', newYork) }),
      },
      {
        zone: newYork,
        time: '08:15',
        weekdays: ['Mon', 'Wed', 'Fri'],
        task: await tasks.add({ title: 'Thrice a week', schedule: cron('15 8 * * 1,3,5', newYork) }),
      },
      {
        zone: berlin,
        time: '12:00',
        weekdays: ['Mon'],
        task: await tasks.add({ title: 'Week', schedule: cron('0 12 * * 1', berlin) }),
      },
    ]
    const watcher = await tasks.add({ title: 'Watch' })
    await home.runtime.start()

    let mostFailures = 0
    for (let at = 0, n = 0; at < 30 * day; at += 9 * hour, n++) {
      await home.write('diary.md', `entry ${n}`)
      await pass(home, 9 * hour)
      const before = home.runtime.status().worlds[0]!
      mostFailures = Math.max(mostFailures, before.consecutiveFailures)
      await home.restart()
      await home.runtime.start()
      expect(home.runtime.status().worlds[0]?.consecutiveFailures).toBe(before.consecutiveFailures)
    }
    const end = clock.now()
    await settle(home)

    expect(mostFailures).toBeGreaterThan(4)
    expect(home.runtime.status().worlds[0]).toMatchObject({ consecutiveFailures: 0, state: 'resting' })
    expect(home.runtime.status()).toMatchObject({ deadLetters: 0, pausedTasks: [] })
    const backAt = historyOf(home, watcher).find(({ state, createdAt }) => state === 'acted' && createdAt >= outage.to)
    expect(backAt!.createdAt - outage.to).toBeLessThanOrEqual(6 * hour)

    for (const { zone, time, weekdays, task } of calendar) {
      const due = occurrences(zone, time, start, end, weekdays)
      const missed = due.filter((at) => at >= outage.from && at <= backAt!.createdAt)
      const onTime = due.filter((at) => !missed.includes(at))
      const expected = missed.length > 0 ? [...onTime, backAt!.createdAt].sort((a, b) => a - b) : onTime
      const runs = historyOf(home, task).filter(({ state }) => state === 'acted')
      expect(
        runs.map(({ createdAt }) => iso(createdAt)),
        task.title,
      ).toEqual(expected.map(iso))
    }
    for (const task of [watcher, ...calendar.map((one) => one.task)]) {
      const runs = historyOf(home, task).filter(({ state }) => state === 'acted')
      expect(runs.map(({ from }) => from)).toEqual([0, ...runs.slice(0, -1).map(({ through }) => through)])
    }
  })

  it('know what a clock shows twice or not at all', () => {
    const spring = occurrences(
      'Europe/Berlin',
      '02:30',
      Date.parse('2026-03-28T12:00Z'),
      Date.parse('2026-03-29T12:00Z'),
    )
    expect(spring.map(iso)).toEqual(['2026-03-29T01:00'])
    const autumn = occurrences(
      'Europe/Berlin',
      '02:30',
      Date.parse('2026-10-24T12:00Z'),
      Date.parse('2026-10-25T12:00Z'),
    )
    expect(autumn.map(iso)).toEqual(['2026-10-25T00:30'])
  })
})

describe('a night in autumn that has an hour twice', () => {
  it('runs what is due in that hour once', async () => {
    const clock = new HandClock('2026-10-24T12:00:00+02:00')
    const home = await house({ clock, provider: scriptedProvider(), settings: { 'heartbeat.interval_minutes': 720 } })
    const task = await home.runtime.tasks.add({
      title: 'Night',
      schedule: cron('30 2 * * *', 'Europe/Berlin'),
    })
    await home.runtime.start()
    await pass(home, 2 * day)
    expect(historyOf(home, task).map(({ createdAt }) => iso(createdAt))).toEqual([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ])
  })
})

describe('a laptop', () => {
  it('that slept for three days catches up once with each schedule', async () => {
    const clock = new HandClock('2026-04-01T08:00:00+02:00')
    const home = await house({ clock, provider: scriptedProvider(), settings: { 'heartbeat.interval_minutes': 60 } })
    const daily = await home.runtime.tasks.add({ title: 'Daily', schedule: cron('0 9 * * *', 'Europe/Berlin') })
    const hourly = await home.runtime.tasks.add({
      title: 'Hourly',
      schedule: { kind: 'cron', expression: '5 * * * *' },
    })
    await home.runtime.start()
    await pass(home, 10 * minute)
    clock.set(clock.now() + 3 * day)
    await settle(home)
    expect([historyOf(home, daily).length, historyOf(home, hourly).length]).toEqual([1, 2])
    await pass(home, 2 * hour)
    expect([historyOf(home, daily).length, historyOf(home, hourly).length]).toEqual([2, 4])
  })

  it('whose clock was set back a day goes on at once, and runs nothing twice', async () => {
    const clock = new TurnedClock('2026-04-02T08:00:00+02:00')
    const provider = scriptedProvider()
    const home = await house({ clock, provider, settings: { 'heartbeat.interval_minutes': 60 } })
    const task = await home.runtime.tasks.add({ title: 'Watch' })
    await home.runtime.start()
    await clock.elapse(3 * hour, () => settle(home))
    clock.turnBack(day)
    await home.write('a.md', 'a')
    await clock.elapse(2 * hour, () => settle(home))
    const runs = historyOf(home, task).toSorted((a, b) => a.through - b.through)
    expect(runs).toHaveLength(2)
    expect(runs[1]?.from).toBe(runs[0]?.through)
    expect(home.runtime.status().worlds[0]?.lastTickAt).toBeLessThan(Date.parse('2026-04-01T13:01:00+02:00'))
  })
})

/** A clock that people can turn back: who waits, waits for as long as it was to be, whatever the clock shows. */
class TurnedClock extends HandClock {
  #back = 0

  override now(): number {
    return super.now() - this.#back
  }

  override wakeAt(at: number, wake: () => void): () => void {
    return super.wakeAt(at + this.#back, wake)
  }

  turnBack(ms: number): void {
    this.#back += ms
  }

  /** Lets time pass in steps of a minute. */
  async elapse(ms: number, settled: () => Promise<unknown>): Promise<void> {
    for (let passed = 0; passed < ms; passed += minute) {
      super.set(super.now() + minute)
      await settled()
    }
  }
}

describe('twenty-four idle hours', () => {
  it('ask no model and leave the store as large as it was', async () => {
    const provider = scriptedProvider()
    const home = await house({ provider, files: { 'a.md': 'a', 'b.md': 'b' } })
    await home.runtime.tasks.add({ title: 'Watch' })
    await home.runtime.tasks.add({ title: 'Watch every hour', schedule: { kind: 'every', minutes: 60 } })
    await home.runtime.start()
    const file = join(home.root, '.undermind/state.db')
    const beside = openStore({ file, synchronous: 'normal' })
    /** In real time the thread that empties the log has minutes between two beats; here it is waited for. */
    const emptied = (): boolean => {
      const [row] = beside.pragma('wal_checkpoint(PASSIVE)') as { busy: number; log: number; checkpointed: number }[]
      return row?.busy === 0 && row.log === row.checkpointed
    }
    const idle = async (hours: number) => {
      for (let n = 0; n < 2 * hours; n++) {
        await pass(home, 30 * minute)
        await until(emptied)
      }
    }
    await idle(18)
    const sizes = () => {
      const tables = beside.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()
      // The tally has a row for each day, as long as days are kept.
      const lasting = tables.filter((name) => name !== 'tally')
      const rows = lasting.map((name) => [name, beside.prepare(`SELECT count(*) FROM "${name}"`).pluck().get()])
      const pages = beside.pragma('page_count', { simple: true })
      return { pages, rows: Object.fromEntries(rows) as Record<string, number> }
    }
    const before = sizes()
    const asked = provider.calls.judge.length
    const ticksBefore = home.runtime.status().worlds[0]!.totalTicks
    await idle(24)
    expect(home.runtime.status().worlds[0]!.totalTicks - ticksBefore).toBe(288)
    expect(provider.calls.judge).toHaveLength(asked)
    expect(provider.calls.execute).toEqual([])
    expect(sizes()).toEqual(before)
    beside.close()
    expect(statSync(`${file}-wal`).size).toBeLessThanOrEqual(4 * 1024 * 1024)
  })
})
