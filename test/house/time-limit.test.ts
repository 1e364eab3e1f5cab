import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { minute } from '../../src/domain/clock.ts'
import { until } from './scene.ts'
import { heldJudge, marksOf, scripted } from './scripted-house.ts'

it('a tick that takes too long is ended, moves nothing, and its world tries again later', async () => {
  const { judge, asked } = heldJudge()
  const settings = { 'heartbeat.tick_timeout_minutes': 10, 'heartbeat.interval_minutes': 30 }
  const { home } = await scripted({ judge }, { files: { 'a.md': 'one' }, settings })
  const { runtime, clock } = home
  await runtime.tasks.add({ title: 'Watch' })
  const before = marksOf(home)
  const tick = await runtime.trigger()
  await until(() => asked.length === 1)
  clock.set(clock.now() + 10 * minute - 1)
  // The call is still under way, so nothing comes to rest.
  for (let turn = 0; turn < 10; turn++) await setImmediate()
  expect(runtime.stores.ticks.get(tick)?.endedAt).toBeNull()
  clock.set(clock.now() + 1)
  expect(await runtime.settled(tick)).toMatchObject({
    state: 'timedOut',
    reason: expect.stringContaining('heartbeat.tick_timeout_minutes'),
  })
  expect(asked[0]?.signal.aborted).toBe(true)
  expect(runtime.stores.evaluations.ofTick(tick).map(({ state, reason }) => [state, reason])).toEqual([
    ['cancelled', 'The tick ran out of time'],
  ])
  expect(marksOf(home)).toEqual(before)
  const world = runtime.status().worlds[0]
  expect(world).toMatchObject({ state: 'resting', consecutiveFailures: 1, lastTickAt: null })
  expect(world?.nextTickAt).toBeGreaterThan(clock.now())
})

it('there is no world but those that there are', async () => {
  const { home } = await scripted()
  await expect(home.runtime.trigger({ world: 'mars' as never })).rejects.toMatchObject({
    code: 'world/unknown',
    kind: 'use',
  })
})
