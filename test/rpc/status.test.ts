import { expect, it } from 'vitest'
import { invoke } from '../../src/rpc/invoke.ts'
import { methods } from '../../src/rpc/methods/index.ts'
import { services, status } from './samples.ts'

it('the status has no numbers at its top while there is no memory world', async () => {
  const without = { ...status, instances: [] }
  const given = services({ status: () => without })
  const told = await invoke({ methods, services: given, checkResults: true }, 'subconscious.status', {}, {})
  expect(told).toMatchObject({ instances: [], last_tick_at: null, total_ticks: 0, consecutive_failures: 0 })
})
