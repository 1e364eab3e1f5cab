import { describe, expect, it } from 'vitest'
import { hour, minute } from '../../src/domain/clock.ts'
import type { Decision } from '../../src/domain/decision.ts'
import { Fault, type FaultCode } from '../../src/domain/errors.ts'
import { HandClock } from '../support/clock.ts'
import { scripted } from './scripted-house.ts'

const usage = { promptTokens: 0, completionTokens: 0 }

/** A house whose judge cannot be asked for the reason that `why` has, if any. */
async function refused(why: () => FaultCode | null, start = '2026-03-02T18:00:00Z') {
  const clock = new HandClock(start)
  const asked: number[] = []
  const { home } = await scripted(
    {
      judge({ report }) {
        asked.push(clock.now())
        const code = why()
        if (code !== null) throw new Fault(code, 'Nobody could be asked.', { until: 0 })
        const decision: Decision['decision'] = 'skip'
        const evaluations = report.tasks.map(({ id }) => ({ task_id: id, decision }))
        return { text: JSON.stringify({ evaluations }), usage, cutOff: false }
      },
    },
    { clock, settings: { 'heartbeat.interval_minutes': 10 } },
  )
  const task = await home.runtime.tasks.add({ title: 'Watch the notes' })
  await home.write('notes.md', 'one')
  return {
    home,
    asked,
    clock,
    row: () => home.runtime.stores.tasks.get(task.id)!,
    world: () => home.runtime.status().worlds[0]!,
    pass: (ms: number) => clock.advance(ms, () => home.runtime.host.idle()),
  }
}

/** Midnight in Berlin that ends 2 March. */
const midnight = Date.parse('2026-03-02T23:00:00Z')

describe("a day's budget for judging that is used up", () => {
  it('ends the tick with its reason, and is no failure of the world', async () => {
    const { home, world, row } = await refused(() => 'model/budget')
    const tick = await home.tick()
    expect(tick).toMatchObject({ state: 'failed', reason: 'Nobody could be asked.' })
    expect(tick.evaluations).toMatchObject([{ state: 'failed', failure: { code: 'model/budget' } }])
    expect(world()).toMatchObject({ state: 'resting', consecutiveFailures: 0 })
    expect(row()).toMatchObject({ retryAt: midnight, attempts: 0, judgedThrough: 0, paused: null })
  })

  it('asks nobody again before midnight, and then judges all there is', async () => {
    let isUsedUp = true
    const { home, asked, world, row, pass, clock } = await refused(() => (isUsedUp ? 'model/budget' : null))
    await home.runtime.start()
    await pass(2 * minute)
    expect(asked).toHaveLength(1)
    await home.write('notes.md', 'two')
    while (clock.now() < midnight - 10 * minute) await pass(5 * minute)
    expect([asked.length, world().consecutiveFailures]).toEqual([1, 0])
    isUsedUp = false
    while (clock.now() < midnight + 2 * minute) await pass(minute)
    expect(asked).toEqual([expect.any(Number), midnight])
    expect(row()).toMatchObject({ retryAt: null, attempts: 0 })
    expect(row().judgedThrough).toBe(home.runtime.stores.changes.head())
  })

  it('does not make the world wait beyond midnight for failures that came before', async () => {
    let code: FaultCode = 'model/unreachable'
    const { home, world } = await refused(() => code)
    for (let n = 0; n < 12; n++) await home.tick()
    expect(world().nextTickAt! - home.clock.now()).toBeGreaterThan(5 * hour)
    code = 'model/budget'
    await home.tick()
    expect(world().nextTickAt).toBeLessThanOrEqual(midnight)
  })
})
