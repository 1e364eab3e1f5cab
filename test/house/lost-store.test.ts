import { existsSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { News } from '../../src/domain/news.ts'
import { createRuntime } from '../../src/index.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { house } from '../support/house.ts'

it('stops with a clear state when another process has taken over its workspace, and leaves the other alone', async () => {
  const home = await house({ tasks: ['Watch the notes'], provider: scriptedProvider() })
  const { runtime, root, clock } = home
  const lock = join(root, '.undermind/lock')
  const news: News[] = []
  runtime.subscribe((item) => {
    if (item.type === 'store') news.push(item)
  })
  await runtime.start()
  await home.tick()

  // For the other one this process has been stuck for a while.
  const longAgo = (performance.timeOrigin + performance.now()) / 1000 - 61
  utimesSync(lock, longAgo, longAgo)
  const other = await createRuntime({
    workspace: root,
    trusted: true,
    env: {},
    userConfigDir: `${root}-config`,
    provider: scriptedProvider(),
    clock,
  })
  onTestFinished(() => other[Symbol.asyncDispose]())
  const held = readFileSync(lock, 'utf8')

  const takenOver = expect.objectContaining({ code: 'store/taken-over' })
  await expect(runtime.trigger()).rejects.toEqual(takenOver)
  await expect(runtime.pause()).rejects.toEqual(takenOver)
  const reason = 'Another undermind has taken over this workspace. This one stops.'
  expect(news).toEqual([{ type: 'store', state: 'lost', reason }])
  expect(runtime.status().stalled).toBe(reason)
  expect(runtime.log({ limit: 10 }).length).toBeGreaterThan(0)

  const ticks = other.status().worlds[0]?.totalTicks
  clock.set(clock.now() + 3_600_000)
  await runtime.host.idle()
  expect(other.status().worlds[0]?.totalTicks).toBe(ticks)
  await runtime[Symbol.asyncDispose]()
  expect([existsSync(lock), readFileSync(lock, 'utf8')]).toEqual([true, held])
  expect(await other.settled(await other.trigger({ force: true }))).toMatchObject({ state: 'done' })
})
