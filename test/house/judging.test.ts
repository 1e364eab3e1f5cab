import { describe, expect, it } from 'vitest'
import { type CallId, id, type TickId } from '../../src/domain/ids.ts'
import type { RawAnswer } from '../../src/domain/model.ts'
import type { SituationReport } from '../../src/domain/report.ts'
import { Judging } from '../../src/house/judging.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { callBench, today } from './call-bench.ts'

const report = (...tasks: string[]): SituationReport => ({
  text: 'the report',
  tokens: 1,
  now: 0,
  timezone: 'UTC',
  tasks: tasks.map((task) => ({ id: id(task), title: task, intent: 'read', inputs: [] })),
  goals: [],
  changes: [],
  surfaced: [],
  through: null,
  left: 0,
  hasExternalContent: false,
})

const skip = (...tasks: string[]) =>
  JSON.stringify({ evaluations: tasks.map((task) => ({ task_id: task, decision: 'skip', reason: `of ${task}` })) })

/** Judging by a model that gives these answers one after the other; `again` is what a later process makes of the rows. */
function bench(...answers: (string | { text: string; cutOff: boolean })[]) {
  const { clock, rows, calls } = callBench()
  const provider = scriptedProvider({
    model: 'a model',
    judge(): RawAnswer {
      clock.set(clock.now() + 7)
      const next = answers.shift() ?? 'nothing more'
      const answer = typeof next === 'string' ? { text: next, cutOff: false } : next
      return { ...answer, usage: { promptTokens: 10, completionTokens: 3 } }
    },
  })
  const judging = () => new Judging({ stores: rows, calls, provider: () => provider, route: () => 'local' })
  const first = judging()
  return {
    provider,
    rows,
    first,
    judge: (batch: number, ...tasks: string[]) =>
      first.judge({ tick: id<TickId>('tick_memory_7'), batch }, report(...tasks), AbortSignal.timeout(5000)),
    again: judging,
  }
}

const decisions = (reading: { decisions: ReadonlyMap<string, { decision: string; reason: string }> }) =>
  Object.fromEntries([...reading.decisions].map(([task, { decision, reason }]) => [task, `${decision} ${reason}`]))

describe('judging a batch', () => {
  it('keeps the call as it was, with what it cost and how long it took', async () => {
    const { judge, provider } = bench(skip('t1', 't2'))
    const { call } = await judge(0, 't1', 't2')
    expect(call).toMatchObject({
      id: 'call_memory_7_0',
      tick: 'tick_memory_7',
      batch: 0,
      provider: 'scripted',
      model: 'a model',
      purpose: 'judge',
      world: null,
      evaluation: null,
      tasks: ['t1', 't2'],
      calls: 1,
      failed: false,
      cost: null,
      promptDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
      repaired: 0,
      promptTokens: 10,
      completionTokens: 3,
      durationMs: 7,
      at: 1000,
    })
    expect(JSON.parse(call.answer)).toEqual([{ text: skip('t1', 't2'), cutOff: false }])
    expect(provider.calls.judge).toHaveLength(1)
  })

  it('asks once more for what was missing or wrong, and for nothing else', async () => {
    const { judge, provider, first } = bench(skip('t1'), skip('t2', 't1'))
    const { call } = await judge(0, 't1', 't2')
    expect([call.calls, call.repaired, call.promptTokens, call.completionTokens, call.durationMs]).toEqual([
      2, 1, 20, 6, 14,
    ])
    expect(provider.calls.judge[1]?.repair?.answer).toBe(skip('t1'))
    expect(provider.calls.judge[1]?.repair?.problems.join()).toContain('t2')
    expect(decisions(await first.reading(call.id, async () => report('t1', 't2')))).toEqual({
      t1: 'skip of t1',
      t2: 'skip of t2',
    })
  })

  it('tells how many verdicts it gave, and how many of them to escalate', async () => {
    const evaluations = [
      ...['t1', 't2', 't3'].map((task) => ({ task_id: task, decision: 'escalate', reason: '' })),
      { task_id: 't4', decision: 'skip', reason: '' },
    ]
    const { judge } = bench(JSON.stringify({ evaluations }))
    expect(await judge(0, 't1', 't2', 't3', 't4')).toMatchObject({ verdicts: 4, escalated: 3 })
  })

  it('makes do with what it has after the second answer', async () => {
    const { judge, first } = bench(skip('t1'), 'no more')
    const { call } = await judge(0, 't1', 't2')
    expect(decisions(await first.reading(call.id, async () => report('t1', 't2')))).toEqual({ t1: 'skip of t1' })
  })

  it('fails when nothing of either answer can be read', async () => {
    const { judge } = bench('mumble', 'mumble')
    await expect(judge(0, 't1')).rejects.toMatchObject({
      code: 'model/unreadable',
      message: 'Nothing of the answer of a model could be read, and asking again did not help.',
    })
  })

  it('that failed is counted with both of its answers, and leaves its id to the next attempt', async () => {
    const { judge, rows } = bench('mumble', 'mumble', skip('t1'))
    await judge(0, 't1').catch(() => {})
    expect(rows.usage.total(today, today)).toMatchObject({ calls: 2, failedCalls: 2, promptTokens: 20 })
    const { call } = await judge(0, 't1')
    rows.ticks.recordCall(call)
    expect(rows.ticks.call(call.id)).toMatchObject({ failed: false, calls: 1 })
  })

  it('reads the same from the row in a later process as was read at first', async () => {
    const cut = `${skip('t1', 't2').slice(0, -30)}`
    for (const answers of [
      [skip('t1', 't2')],
      [skip('t2'), skip('t1')],
      [{ text: cut, cutOff: true }, skip('t2')],
      [skip('t1'), 'mumble'],
    ]) {
      const { judge, first, again, rows } = bench(...answers)
      const { call } = await judge(0, 't1', 't2')
      rows.ticks.recordCall(call)
      const reading = await first.reading(call.id, async () => report('t1', 't2'))
      expect(decisions(await again().reading(call.id, async () => report('t1', 't2')))).toEqual(decisions(reading))
    }
  })

  it('finds no verdicts where the call is no longer kept', async () => {
    const { again } = bench()
    expect((await again().reading(id<CallId>('call_gone'), async () => report('t1'))).decisions.size).toBe(0)
  })

  it('keeps only some calls in memory, and reads the others again', async () => {
    const tasks = Array.from({ length: 40 }, (_, n) => `t${n}`)
    const { judge, first, rows } = bench(...tasks.map((task) => skip(task)))
    for (const [batch, task] of tasks.entries()) rows.ticks.recordCall((await judge(batch, task)).call)
    for (const [batch, task] of tasks.entries()) {
      const reading = await first.reading(id<CallId>(`call_memory_7_${batch}`), async () => report(task))
      expect(decisions(reading)).toEqual({ [task]: `skip of ${task}` })
    }
  })
})
