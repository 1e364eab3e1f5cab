import { expect, it } from 'vitest'
import { day, hour } from '../../src/domain/clock.ts'
import { pass } from './scene.ts'
import { scripted } from './scripted-house.ts'

it.each([{ 'subconscious.mode': 'off' }, { 'heartbeat.inference_enabled': false }])(
  'a world that is switched off ticks only when it is asked to: %o',
  async (settings) => {
    const { home, provider } = await scripted({}, { files: { 'a.md': 'one' }, settings })
    const { runtime } = home
    await runtime.tasks.add({ title: 'Watch' })
    await runtime.tasks.add({ title: 'Watch by the hour', schedule: { kind: 'every', minutes: 60 } })
    await runtime.start()
    await pass(home, day)
    expect(runtime.status().worlds[0]).toMatchObject({ state: 'resting', totalTicks: 0, nextTickAt: null })
    expect(provider.calls.judge).toEqual([])
    expect(await home.tick()).toMatchObject({ state: 'done' })
    await pass(home, hour)
    expect(runtime.status().worlds[0]).toMatchObject({ totalTicks: 1, nextTickAt: null })
  },
)
