import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/domain/errors.ts'
import { id } from '../../src/domain/ids.ts'
import type { CallFacts } from '../../src/house/calls.ts'
import { callBench, today } from './call-bench.ts'

const facts: CallFacts = {
  purpose: 'analyse',
  tick: null,
  batch: null,
  world: id('memory'),
  evaluation: id('ev_1'),
  tasks: [id('task_1')],
  provider: { id: 'openai', model: 'large' },
  prompt: 'Look deeper',
  promptTokens: 90,
}
const local: CallFacts = { ...facts, provider: { id: 'ollama', model: 'small' } }
const wanted = new AbortController().signal
const said = { text: 'It is so', usage: { promptTokens: 100, completionTokens: 20 } }

const dropped = (): AbortSignal => AbortSignal.abort(new Fault('work/dropped', 'No longer wanted.'))

describe('a call that goes well', () => {
  it('is handed back with its answer, to be recorded with the step that it leads to', async () => {
    const { calls, rows, clock } = callBench()
    const { output, call } = await calls.make(facts, wanted, async () => {
      clock.set(clock.now() + 5)
      return said
    })
    expect(output).toBe(said)
    expect(rows.ticks.call(call.id)).toBeUndefined()
    rows.ticks.recordCall(call)
    expect(rows.ticks.call(call.id)).toEqual({
      id: 'call_made1',
      purpose: 'analyse',
      tick: null,
      batch: null,
      world: 'memory',
      evaluation: 'ev_1',
      tasks: ['task_1'],
      provider: 'openai',
      model: 'large',
      route: 'cloud',
      promptDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
      answer: '[{"text":"It is so"}]',
      repaired: 0,
      calls: 1,
      failed: false,
      promptTokens: 100,
      completionTokens: 20,
      cost: 120,
      durationMs: 5,
      at: 1000,
    })
  })

  it('has the id that it is given, under which it is recorded once', async () => {
    const { calls, rows } = callBench()
    for (let time = 0; time < 2; time++) {
      const { call } = await calls.make(facts, wanted, async () => said, id('call_of_step'))
      rows.ticks.recordCall(call)
    }
    expect(rows.usage.total(today, today)).toMatchObject({ calls: 1, cost: 120 })
  })

  it('takes no less than no time where the clock was set back meanwhile', async () => {
    const { calls, clock } = callBench()
    const { call } = await calls.make(facts, wanted, async () => {
      clock.set(10)
      return said
    })
    expect(call.durationMs).toBe(0)
  })
})

describe('a call that nothing came of', () => {
  const total = ({ rows }: ReturnType<typeof callBench>) => rows.usage.total(today, today)

  it('is recorded at once with what it may have cost, and what went wrong is thrown on', async () => {
    const bench = callBench()
    const timeout = new Fault('model/timeout', 'It fell silent.')
    await expect(bench.calls.make(facts, wanted, () => Promise.reject(timeout), id('call_of_step'))).rejects.toBe(
      timeout,
    )
    expect(total(bench)).toMatchObject({ calls: 1, failedCalls: 1, promptTokens: 90, cost: 90 })
    const kept = bench.rows.ticks.call(id('call_made1'))
    expect(kept).toMatchObject({ failed: true })
    expect(JSON.parse(kept?.answer ?? '')).toEqual([{ failure: { code: 'model/timeout', message: 'It fell silent.' } }])
    // Done again it may go well, and is recorded under the id it was to have.
    expect(bench.rows.ticks.call(id('call_of_step'))).toBeUndefined()
  })

  it('used nothing where nobody was reached, and is a call all the same', async () => {
    const bench = callBench()
    await bench.calls.make(facts, wanted, () => Promise.reject(new Fault('model/unreachable', ''))).catch(() => {})
    expect(total(bench)).toMatchObject({ calls: 1, failedCalls: 1, promptTokens: 0, cost: 0 })
  })

  it('of the local model is not guessed at', async () => {
    const bench = callBench()
    await bench.calls.make(local, wanted, () => Promise.reject(new Fault('model/timeout', ''))).catch(() => {})
    expect(total(bench)).toMatchObject({ calls: 1, failedCalls: 1, promptTokens: 0, cost: null })
  })

  it.each(['model/budget', 'model/budget-too-small', 'model/no-price'] as const)(
    'because of %s was none, and is not recorded',
    async (code) => {
      const bench = callBench()
      await expect(bench.calls.make(facts, wanted, () => Promise.reject(new Fault(code, '')))).rejects.toMatchObject({
        code,
      })
      expect(total(bench)).toMatchObject({ calls: 0 })
    },
  )

  it('is one whose answer came when nobody wanted it any more', async () => {
    const bench = callBench()
    await bench.calls.make(facts, dropped(), async () => said)
    expect(total(bench)).toMatchObject({ calls: 1, failedCalls: 1, promptTokens: 100, completionTokens: 20, cost: 120 })
  })

  it('is none whose answer came while undermind was stopping: its step may still be taken', async () => {
    const bench = callBench()
    const stopping = AbortSignal.abort(new Fault('work/stopping', ''))
    const { call } = await bench.calls.make(facts, stopping, async () => said)
    expect(total(bench)).toMatchObject({ calls: 0 })
    bench.rows.ticks.recordCall(call)
    expect(total(bench)).toMatchObject({ calls: 1, failedCalls: 0 })
  })

  it('is recorded once, however often it is said to have failed', async () => {
    const bench = callBench()
    const open = bench.calls.begin(facts)
    await open.ask(async () => said)
    await open.dropped(dropped())
    await open.failed(new Error('again'))
    expect(total(bench)).toMatchObject({ calls: 1 })
  })

  it('keeps its first answer and what that used where the repair failed', async () => {
    const bench = callBench()
    const open = bench.calls.begin(facts)
    await open.ask(async () => said)
    await open.ask(() => Promise.reject(new Fault('model/timeout', ''))).catch((error) => open.failed(error))
    expect(total(bench)).toMatchObject({ calls: 2, failedCalls: 2, promptTokens: 190, completionTokens: 20 })
    expect(JSON.parse(bench.rows.ticks.call(id('call_made1'))?.answer ?? '')).toMatchObject([{ text: 'It is so' }, {}])
  })

  it('counts no repair that the budget refused', async () => {
    const bench = callBench()
    const open = bench.calls.begin(facts)
    await open.ask(async () => said)
    await open.ask(() => Promise.reject(new Fault('model/budget', ''))).catch((error) => open.failed(error))
    expect(total(bench)).toMatchObject({ calls: 1, failedCalls: 1, promptTokens: 100 })
  })

  it('waits with its row until the store takes it, and what went wrong is told all the same', async () => {
    const bench = callBench()
    bench.trouble.is = new Fault('store/disk-full', 'The disk is full.')
    const timeout = new Fault('model/timeout', '')
    const fail = () => bench.calls.make(facts, wanted, () => Promise.reject(timeout))
    await expect(fail()).rejects.toBe(timeout)
    await expect(fail()).rejects.toBe(timeout)
    expect(total(bench)).toMatchObject({ calls: 0 })
    delete bench.trouble.is
    await expect(fail()).rejects.toBe(timeout)
    expect(total(bench)).toMatchObject({ calls: 3 })
    await expect(fail()).rejects.toBe(timeout)
    expect(total(bench)).toMatchObject({ calls: 4 })
  })
})
