import { expect, it } from 'vitest'
import { createRuntime } from '../../src/index.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { HandClock } from '../support/clock.ts'
import { house } from '../support/house.ts'

it('waits for a workspace that another has open as long as it may, and opens it once it is free', async () => {
  const home = await house({ provider: scriptedProvider() })
  const clock = new HandClock()
  const open = (waitMs: number) =>
    createRuntime({
      workspace: home.root,
      trusted: true,
      env: {},
      userConfigDir: `${home.root}-config`,
      provider: scriptedProvider(),
      clock,
      waitMs,
    })
  const inUse = { code: 'workspace/in-use', data: { pid: process.pid } }
  await expect(open(0)).rejects.toMatchObject(inUse)
  const impatient = open(1000).catch((error: unknown) => error)
  const patient = open(10_000)
  // The first tries are over by then; the next ones wait for the clock.
  while (clock.nextWakeAt === null) await new Promise((next) => setImmediate(next))
  for (let n = 0; n < 12; n++) await clock.advance(100, () => new Promise((next) => setTimeout(next, 2)))
  expect(await impatient).toMatchObject(inUse)
  await home.runtime[Symbol.asyncDispose]()
  const opened = patient.then((runtime) => ({ runtime }))
  let isOpen = false
  void opened.then(() => {
    isOpen = true
  })
  for (let n = 0; n < 20 && !isOpen; n++) await clock.advance(100, () => new Promise((next) => setTimeout(next, 5)))
  const { runtime } = await opened
  expect(runtime.status().worlds[0]?.id).toBe('memory')
  await runtime[Symbol.asyncDispose]()
})
