import { expect, it, onTestFinished } from 'vitest'
import { commandParts } from '../../src/house/command-parts.ts'
import { house } from '../support/house.ts'

it('answers who only looks while another process has the workspace, and says who has it to whoever wants more', async () => {
  const home = await house({ tasks: ['Watch the notes'], files: { 'note.md': 'Due 3 April' } })
  await home.tick()
  const parts = commandParts('0', { XDG_CONFIG_HOME: `${home.root}-config` }, home.root)
  const door = await parts.connect(home.root, {})
  onTestFinished(async () => door[Symbol.asyncDispose]())

  expect(await door.call('subconscious.status')).toMatchObject({ total_ticks: 1 })
  expect(await door.call('subconscious.log_list')).toHaveLength(2)
  expect(door.daemon).toBe(false)
  const beside = await parts.connect(home.root, {})
  onTestFinished(async () => beside[Symbol.asyncDispose]())
  await expect(beside.call('subconscious.why', { task: 'nothing' })).rejects.toMatchObject({ code: 'task/unknown' })
})
