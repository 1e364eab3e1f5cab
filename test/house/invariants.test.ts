import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Source } from '../../src/domain/change.ts'
import { id, type SourceId } from '../../src/domain/ids.ts'
import type { RawAnswer } from '../../src/domain/model.ts'
import { servicesOf } from '../../src/house/services.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { dispatcher } from '../../src/rpc/dispatch.ts'
import { methods } from '../../src/rpc/methods/index.ts'
import { type House, house } from '../support/house.ts'
import { ada, gate, mail, mailer, proposes, settle, until } from './scene.ts'

/** Answers when the test says so; told to stop, it notes that, and goes on all the same if it does not heed. */
function stuck({ heeds = true } = {}) {
  const asked: { signal: AbortSignal; abortedAt: number | null }[] = []
  const answer = gate<RawAnswer>()
  return {
    asked,
    answer: (text: object) =>
      answer.open({ text: JSON.stringify(text), usage: { promptTokens: 0, completionTokens: 0 }, cutOff: false }),
    judge(_request: unknown, signal: AbortSignal): Promise<RawAnswer> {
      const note = { signal, abortedAt: null as number | null }
      asked.push(note)
      const aborted = new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => {
          note.abortedAt = performance.now()
          if (heeds) reject(signal.reason)
        }),
      )
      return Promise.race([answer.passed, aborted])
    },
  }
}

/** A source that is read for ever, unless it is told to stop. */
const endless: Source = {
  id: id<SourceId>('endless'),
  kind: 'endless',
  title: 'Endless',
  async *read(_baseline, signal) {
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  },
}

const call = (home: House) => {
  const services = servicesOf(home.runtime, {
    version: '1',
    tools: new Map(),
    ignored: [],
    assertSound: () => {},
    assertWritable: async () => {},
  })
  const dispatch = dispatcher({ methods, services, checkResults: false })
  return async (method: string, params: object = {}) => {
    const answer = await dispatch(JSON.stringify({ jsonrpc: '2.0', method, params, id: 1 }), {})
    expect(JSON.parse(answer ?? 'null')).toHaveProperty('result')
  }
}

const worlds = ({ runtime }: House) => runtime.status().worlds

describe('reading how things stand', () => {
  it.each([
    ['a model never answers', 'working.reflecting.judging', () => ({ provider: scriptedProvider(stuck()) })],
    ['a source is read without end', 'working.observing', () => ({ sources: [endless] })],
  ])('takes milliseconds while every world is stuck, because %s', async (_, state, options) => {
    const home = await house({ tasks: ['Watch the notes'], files: { 'notes.md': 'one' }, ...options() })
    const ask = call(home)
    const tick = await home.runtime.trigger()
    await until(() => home.runtime.stores.ticks.get(tick)?.state === state)
    expect(worlds(home).map((world) => world.state)).toEqual(['ticking'])
    const reads: [string, () => unknown][] = [
      ['status', () => home.runtime.status()],
      ['log', () => home.runtime.log({ limit: 50 })],
      ['subconscious.status', () => ask('subconscious.status')],
      ['subconscious.log_list', () => ask('subconscious.log_list')],
      ['subconscious.escalations_list', () => ask('subconscious.escalations_list')],
    ]
    for (const [name, read] of reads) {
      const times: number[] = []
      for (let n = 0; n < 20; n++) {
        const began = performance.now()
        await read()
        times.push(performance.now() - began)
      }
      times.sort((x, y) => x - y)
      expect(times[10], name).toBeLessThan(10)
    }
    expect(home.runtime.stores.ticks.get(tick)).toMatchObject({ state, endedAt: null })
    await home.runtime.pause()
  })
})

describe('two runtimes in one process', () => {
  it('do not disturb each other: one stuck, one that works; one that stops, one that goes on', async () => {
    const outbox = { mine: mailer(), yours: mailer() }
    const asks = (to: string) =>
      scriptedProvider({ decide: () => ({ decision: 'escalate' }), analyse: () => proposes('Tell them', [mail(to)]) })
    const mine = await house({ tasks: ['Watch the notes'], provider: asks('mine'), tools: [outbox.mine.tool] })
    const yours = await house({ tasks: ['Watch the notes'], provider: asks('yours'), tools: [outbox.yours.tool] })
    const stands = await house({ tasks: ['Watch the notes'], provider: scriptedProvider(stuck()) })
    const heard: string[] = []
    yours.runtime.subscribe(({ type }) => heard.push(type))
    await stands.runtime.trigger({ force: true })
    await mine.tick(true)
    expect(heard).toEqual([])
    await yours.tick(true)
    const [[my], [your]] = [mine.cards(), yours.cards()]
    if (!my || !your) throw new Error('no cards')
    await mine.runtime.answers.approve(my.id, my.digest, ada)
    await settle(mine)
    expect([outbox.mine.sent, outbox.yours.sent]).toEqual([['mine: hello'], []])
    await mine.restart()
    expect(worlds(stands).map(({ state }) => state)).toEqual(['ticking'])
    await mine.runtime[Symbol.asyncDispose]()
    await yours.runtime.answers.approve(your.id, your.digest, ada)
    await settle(yours)
    expect([outbox.mine.sent, outbox.yours.sent]).toEqual([['mine: hello'], ['yours: hello']])
    await yours.tick(true)
    expect(worlds(yours)[0]?.totalTicks).toBe(2)
    expect(worlds(stands)[0]?.totalTicks).toBe(0)
  })
})

describe('a quiet tick', () => {
  it('makes no model call of any kind, and no evaluation', async () => {
    const provider = scriptedProvider({ decide: () => ({ decision: 'skip' }) })
    const home = await house({ tasks: ['Watch the notes'], files: { 'notes.md': 'one' }, provider })
    await home.tick()
    const asked = { ...provider.calls, judge: [...provider.calls.judge] }
    expect(asked.judge.length).toBeGreaterThan(0)
    const rows = () => home.runtime.log({ limit: 500 }).length
    const before = rows()
    for (let n = 0; n < 3; n++) {
      home.clock.set(home.clock.now() + 300_000)
      expect(await home.tick()).toMatchObject({ state: 'quiet', modelCalls: 0, evaluations: [] })
    }
    expect(provider.calls).toEqual(asked)
    expect(rows()).toBe(before)
  })
})

describe('a tick that was superseded', () => {
  it('has its model call broken off within a tenth of a second', async () => {
    const times: number[] = []
    // A machine that is busy otherwise may be late now and then.
    for (let n = 0; n < 5; n++) {
      const model = stuck()
      const home = await house({ tasks: ['Watch the notes'], provider: scriptedProvider(model) })
      await home.runtime.trigger({ force: true })
      await until(() => model.asked.length === 1)
      const began = performance.now()
      await home.runtime.trigger({ force: true })
      await until(() => model.asked[0]?.abortedAt !== null)
      times.push(model.asked[0]!.abortedAt! - began)
      await home.runtime.pause()
    }
    expect(Math.min(...times)).toBeLessThan(100)
  })

  it('has what comes of its model call all the same discarded', async () => {
    const first = stuck({ heeds: false })
    const provider = scriptedProvider({
      judge: (request, signal) => {
        if (first.asked.length === 0) return first.judge(request, signal)
        const evaluations = request.report.tasks.map((task) => ({
          task_id: task.id,
          decision: 'skip',
          reason: 'second',
        }))
        return { text: JSON.stringify({ evaluations }), usage: { promptTokens: 0, completionTokens: 0 }, cutOff: false }
      },
    })
    const home = await house({ tasks: ['Watch the notes'], files: { 'notes.md': 'one' }, provider })
    const { runtime } = home
    const task = runtime.tasks.find('Watch the notes')
    const old = await runtime.trigger()
    await until(() => first.asked.length === 1)
    const second = await runtime.trigger()
    await until(() => first.asked[0]?.signal.aborted === true)
    expect((await runtime.settled(old)).state).toBe('superseded')
    expect(runtime.tasks.find(task.id)).toMatchObject({ judgedThrough: task.judgedThrough, lastRunAt: null })

    first.answer({ evaluations: [{ task_id: task.id, decision: 'act', reason: 'late', text: 'Far too late' }] })
    await setImmediate()
    expect((await runtime.settled(second)).state).toBe('done')
    await settle(home)
    expect(runtime.stores.evaluations.ofTick(old).map(({ state, call }) => [state, call])).toEqual(
      runtime.stores.evaluations.ofTick(old).map(() => ['superseded', null]),
    )
    expect(runtime.log({ task: task.id, limit: 10 }).map(({ state, reason }) => [state, reason])).toEqual([
      ['skipped', 'second'],
      ['superseded', null],
    ])
    expect(runtime.stores.ticks.get(old)?.modelCalls).toBe(0)
    expect(JSON.stringify(runtime.log({ limit: 100 }))).not.toContain('Far too late')
  })

  it('loses the texts that its evaluations were still writing or thinking over, too', async () => {
    const step = gate()
    const signals: AbortSignal[] = []
    const late = async (signal: AbortSignal) => {
      signals.push(signal)
      await step.passed
    }
    const provider = scriptedProvider({
      decide: ({ title }) =>
        signals.length >= 2
          ? { decision: 'skip', reason: 'second' }
          : title === 'Watch the notes'
            ? { decision: 'act', reason: '' }
            : title === 'Watch the people'
              ? { decision: 'escalate', reason: '' }
              : { decision: 'skip', reason: '' },
      execute: async (_request, signal) => {
        await late(signal)
        return { text: 'Far too late', sources: [] }
      },
      analyse: async (_request, signal) => {
        await late(signal)
        return proposes('Far too late', [mail('team')])
      },
    })
    const { tool } = mailer()
    const home = await house({ tasks: ['Watch the notes', 'Watch the people'], provider, tools: [tool] })
    const { runtime } = home
    const old = await runtime.trigger({ force: true })
    await until(() => signals.length === 2)
    const second = await runtime.trigger({ force: true })
    await runtime.settled(old)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
    step.open()
    await runtime.settled(second)
    await settle(home)
    expect(home.cards()).toEqual([])
    expect(JSON.stringify(runtime.log({ limit: 100 }))).not.toContain('Far too late')
  })
})
