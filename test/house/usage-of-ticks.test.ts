import { describe, expect, it } from 'vitest'
import { day, hour } from '../../src/domain/clock.ts'
import { Fault } from '../../src/domain/errors.ts'
import type { RawAnswer } from '../../src/domain/model.ts'
import { invoke } from '../../src/rpc/invoke.ts'
import { methods } from '../../src/rpc/methods/index.ts'
import type { Services } from '../../src/rpc/services.ts'
import { gate, settle, until } from './scene.ts'
import { scripted } from './scripted-house.ts'

const usage = { promptTokens: 100, completionTokens: 10 }
const files = { 'a.md': 'one' }

const skipAll = (tasks: readonly { id: string }[]): RawAnswer => ({
  text: JSON.stringify({ evaluations: tasks.map(({ id }) => ({ task_id: id, decision: 'skip', reason: '' })) }),
  usage,
  cutOff: false,
})

describe('what ticks used', () => {
  it('is counted by day, and shared out among the tasks that were judged together', async () => {
    const { home } = await scripted({ judge: ({ report }) => skipAll(report.tasks) }, { files })
    const { runtime } = home
    const tasks = await Promise.all(['A', 'B', 'C'].map((title) => runtime.tasks.add({ title })))
    await home.tick()
    const today = { calls: 1, localCalls: 1, cloudCalls: 0, failedCalls: 0, promptTokens: 100, cost: null }
    expect(runtime.status().usage).toMatchObject({ day: '2026-04-01', ...today, budget: null })
    const byTask = await runtime.usage({ days: 1, by: 'task' })
    expect(byTask.rows.map(({ title, promptTokens }) => [title, promptTokens]).sort()).toEqual([
      ['A', 34],
      ['B', 33],
      ['C', 33],
    ])
    expect(byTask.rows.map(({ key }) => key).sort()).toEqual(tasks.map(({ id }) => id).sort())
    expect((await runtime.usage({ days: 1, by: 'world' })).rows).toMatchObject([
      { key: 'memory', title: expect.any(String), calls: 1, callsAvoided: 0 },
    ])
    expect((await runtime.usage({ days: 1, by: 'model' })).rows).toMatchObject([{ key: 'scripted scripted', calls: 1 }])
    expect((await runtime.usage({ days: 1, by: 'purpose' })).rows).toMatchObject([{ key: 'judge', title: null }])
    const [evaluation] = runtime.log({ limit: 1 })
    expect(runtime.whyEvaluation(evaluation!.id).call).toMatchObject({
      world: 'memory',
      tasks: expect.any(Array),
      calls: 1,
    })
  })

  it('is summed up over the days that are asked for, newest first', async () => {
    const { home } = await scripted({ judge: ({ report }) => skipAll(report.tasks) }, { files })
    await home.runtime.tasks.add({ title: 'A' })
    for (let days = 0; days < 3; days++) {
      await home.tick(true)
      home.clock.set(home.clock.now() + day)
    }
    const told = await home.runtime.usage({ days: 3, by: 'day' })
    expect([told.from, told.to]).toEqual(['2026-04-02', '2026-04-04'])
    expect(told.rows.map(({ key, calls }) => [key, calls])).toEqual([
      ['2026-04-03', 1],
      ['2026-04-02', 1],
    ])
    expect(told.total).toMatchObject({ calls: 2, promptTokens: 200 })
    expect(told.today).toMatchObject({ day: '2026-04-04', calls: 0 })
    const byTask = await home.runtime.usage({ days: 4, by: 'task' })
    expect(byTask.rows).toMatchObject([{ title: 'A', calls: 3, promptTokens: 300 }])
  })

  it('names no more rows than one can look at, and says how many it leaves out', async () => {
    const { home } = await scripted({}, { files })
    const { runtime } = home
    await runtime.host.write(() => {
      for (let n = 0; n < 1200; n++) {
        runtime.stores.usage.record({
          id: `call_${n}` as never,
          tick: null,
          batch: null,
          world: null,
          evaluation: null,
          tasks: [`task_${n}` as never],
          provider: 'p',
          model: 'm',
          route: 'local',
          purpose: 'text',
          promptDigest: '',
          answer: '[]',
          repaired: 0,
          calls: 1,
          failed: false,
          promptTokens: n,
          completionTokens: 0,
          cost: null,
          durationMs: 0,
          at: runtime.clock.now(),
          day: '2026-04-01',
        })
      }
    })
    const { rows, more } = await runtime.usage({ days: 1, by: 'task' })
    expect([rows.length, more, rows[0]?.promptTokens, rows.at(-1)?.promptTokens]).toEqual([500, 700, 1199, 700])
  })

  it('counts a failed call too, and the answer of a call that nobody waited for', async () => {
    const held = gate()
    const script: { next: (() => Promise<RawAnswer>) | null } = {
      next: () => Promise.reject(new Fault('model/timeout', 'It fell silent.')),
    }
    const { home, provider } = await scripted(
      { judge: ({ report }) => script.next?.() ?? Promise.resolve(skipAll(report.tasks)) },
      { files },
    )
    const { runtime } = home
    await runtime.tasks.add({ title: 'A' })
    expect(await home.tick()).toMatchObject({ state: 'failed' })
    expect(runtime.status().usage).toMatchObject({ calls: 1, failedCalls: 1, promptTokens: 0 })

    script.next = async () => {
      await held.passed
      return skipAll([])
    }
    const tick = await runtime.trigger({ force: true })
    await until(() => provider.calls.judge.length === 2)
    script.next = null
    await runtime.trigger({ force: true })
    await until(() => runtime.stores.ticks.get(tick)?.endedAt !== null)
    held.open()
    await settle(home)
    expect(runtime.status().usage).toMatchObject({ calls: 3, failedCalls: 2, promptTokens: 200 })
  })

  it('tells how often the model wanted to escalate', async () => {
    const { home } = await scripted(
      { decide: ({ title }) => ({ decision: title === 'A' ? 'escalate' : 'skip', reason: '' }) },
      { files },
    )
    for (const title of ['A', 'B', 'C', 'D']) await home.runtime.tasks.add({ title })
    await home.tick()
    expect(home.runtime.status().usage.escalations).toEqual({ verdicts: 4, escalated: 1 })
    home.clock.set(home.clock.now() + 6 * day)
    expect(home.runtime.status().usage.escalations.verdicts).toBe(4)
    home.clock.set(home.clock.now() + day)
    expect(home.runtime.status().usage.escalations.verdicts).toBe(0)
  })
})

describe('calls avoided', () => {
  it('stay known by day and world when the quiet ticks they were counted in are gone', async () => {
    const { home } = await scripted({}, { files })
    const { runtime } = home
    for (const title of ['A', 'B']) await runtime.tasks.add({ title })
    await home.tick()
    expect(await home.tick()).toMatchObject({ state: 'quiet', callsAvoided: 2 })
    const quiet = await home.tick()
    home.clock.set(home.clock.now() + 2 * hour)
    await runtime.compact()
    expect(runtime.stores.ticks.get(quiet.id)).toBeUndefined()
    expect(runtime.status().usage).toMatchObject({ callsAvoided: 4 })
    home.clock.set(home.clock.now() + day)
    expect(runtime.status().usage).toMatchObject({ callsAvoided: 0 })
    const { rows, total } = await runtime.usage({ days: 7, by: 'day' })
    expect(rows).toMatchObject([{ key: '2026-04-01', calls: 1, callsAvoided: 4 }])
    expect(total.callsAvoided).toBe(4)
    expect((await runtime.usage({ days: 7, by: 'world' })).rows).toMatchObject([{ key: 'memory', callsAvoided: 4 }])
  })

  it('are told of a day on which no model was asked at all', async () => {
    const { home } = await scripted({}, { files })
    await home.runtime.tasks.add({ title: 'A' })
    await home.tick()
    home.clock.set(home.clock.now() + day)
    await home.tick()
    expect((await home.runtime.usage({ days: 1, by: 'day' })).rows).toMatchObject([
      { key: '2026-04-02', calls: 0, cost: null, callsAvoided: 1 },
    ])
  })

  it('of a tick that was broken off are left to the tick that comes after it', async () => {
    const held = gate()
    const answers = { wait: Promise.resolve() }
    const { home, provider } = await scripted(
      {
        async judge({ report }) {
          await answers.wait
          return skipAll(report.tasks)
        },
      },
      { files },
    )
    const { runtime } = home
    await runtime.tasks.add({ title: 'A', inputs: ['a.md'] })
    await home.tick()
    await runtime.tasks.add({ title: 'B', inputs: ['b.md'] })
    answers.wait = held.passed
    const tick = await runtime.trigger()
    await until(() => provider.calls.judge.length === 2)
    await runtime.host.dispatch({ to: tick as never, event: { type: 'cancel', reason: 'enough' } })
    held.open()
    await settle(home)
    expect(runtime.stores.ticks.get(tick)).toMatchObject({ state: 'cancelled', callsAvoided: 1 })
    expect(runtime.status().usage.callsAvoided).toBe(0)
  })
})

it.each(['task', 'world', 'day', 'model', 'purpose'])(
  'what models used is told as the method promises, by %s',
  async (by) => {
    const { home } = await scripted({ judge: ({ report }) => skipAll(report.tasks) }, { files })
    await home.runtime.tasks.add({ title: 'A' })
    await home.tick()
    await home.tick()
    const services = { usage: home.runtime.usage } as Services
    const told = await invoke({ methods, services, checkResults: true }, 'usage.summary', { by }, {})
    expect(told).toMatchObject({ by, rows: [{ calls: 1, prompt_tokens: 100 }], total: { calls: 1, calls_avoided: 1 } })
  },
)

it('what models used is kept for four hundred days', async () => {
  const { home } = await scripted({ judge: ({ report }) => skipAll(report.tasks) }, { files })
  const { runtime } = home
  await runtime.tasks.add({ title: 'A' })
  await home.tick()
  const kept = () => runtime.stores.usage.total('2026-04-01', '2026-04-01').calls
  home.clock.set(home.clock.now() + 400 * day)
  await runtime.compact()
  expect([kept(), runtime.stores.usage.tasks('2026-04-01', null, 9).length]).toEqual([1, 1])
  home.clock.set(home.clock.now() + 2 * day)
  await runtime.compact()
  expect([kept(), runtime.stores.usage.tasks('2026-04-01', null, 9).length]).toEqual([0, 0])
})
