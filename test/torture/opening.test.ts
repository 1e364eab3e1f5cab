import { expect, it } from 'vitest'
import type { Turn } from '../../src/actors/seat.ts'
import { id, type OutboxKey, type TickId, type WorldId } from '../../src/domain/ids.ts'
import { defaultSettings } from '../../src/domain/settings.ts'
import type { Plan } from '../../src/domain/world.ts'
import { Calls } from '../../src/house/calls.ts'
import { dueTasks } from '../../src/house/due-tasks.ts'
import { timedIds } from '../../src/house/ids.ts'
import { givenMinds } from '../../src/house/minds.ts'
import { Reports } from '../../src/house/reports.ts'
import { Routes } from '../../src/house/routes.ts'
import { tickWork } from '../../src/house/tick-work.ts'
import { UsageBook } from '../../src/house/usage.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { createInstance } from '../../src/profiles/index.ts'
import type { MemoryPorts } from '../../src/profiles/memory.ts'
import { house } from '../support/house.ts'

const tick = id<TickId>('tick_memory_1')
const world = id<WorldId>('memory')

it('never mixes tasks of different inputs in a batch, though the tasks change while opening is interrupted', async () => {
  const home = await house({ tasks: ['Watch the people'], provider: scriptedProvider() })
  const { stores, tasks, host, clock } = home.runtime
  await tasks.add({ title: 'Watch one', inputs: ['one.md'] })
  await tasks.add({ title: 'Watch two', inputs: ['two.md'] })
  stores.ticks.insert({
    id: tick,
    world,
    generation: 1,
    force: false,
    state: 'working.preparing',
    startedAt: clock.now(),
  })

  await expect(open(1)).rejects.toThrow('killed')
  await tasks.edit('Watch the people', { enabled: false })
  const { batches } = await open(Number.POSITIVE_INFINITY)

  const rows = stores.evaluations.ofTick(tick)
  const inputsIn = new Map<number, Set<string>>()
  for (const { batch, task } of rows) {
    const inputs = JSON.stringify(stores.tasks.get(task)?.inputs)
    inputsIn.set(batch, (inputsIn.get(batch) ?? new Set()).add(inputs))
  }
  expect([...inputsIn.values()].map(({ size }) => size)).toEqual([1, 1, 1])
  expect([...inputsIn.keys()].sort()).toEqual(Array.from({ length: batches }, (_, batch) => batch))

  /** What a process does that is killed after so many of its transactions. */
  async function open(transactions: number) {
    let left = transactions
    const reports = new Reports({ stores, clock, timezone: () => 'UTC', budget: () => 40_000, mostTasks: () => 100 })
    const work = tickWork({
      host: {
        dispatchAll: (messages) => host.dispatchAll(messages),
        write: <T>(change: (turn: Turn) => T) =>
          left-- > 0 ? host.write(change) : Promise.reject(new Error('killed')),
      },
      stores,
      clock,
      reports,
      routes: new Routes({ settings: defaultSettings, clock, ...givenMinds(scriptedProvider(), undefined) }),
      calls: new Calls({
        host,
        stores,
        accounts: new UsageBook({ store: stores.usage, clock, settings: defaultSettings, timezone: () => 'UTC' }),
        clock,
        ids: timedIds(clock),
      }),
      worldOf: () => createInstance('memory', (due) => portsOf((head) => plan(reports, due, head))),
    })
    const run = { key: id<OutboxKey>('open'), actor: id<never>('tick_memory_1'), signal: AbortSignal.timeout(5000) }
    return work['tick.open'].run({ tick, visit: 1, token: 0, rendered: '', tainted: false }, run)
  }

  async function plan(reports: Reports, due: Parameters<typeof dueTasks>[1], head: number): Promise<Plan> {
    return reports.plan(tick, (await dueTasks(stores, due, head)).toJudge, head)
  }
})

const portsOf = (plan: (head: number) => Promise<Plan>): MemoryPorts => ({
  sources: { observe: async () => 0 },
  tasks: { toJudge: async () => ({ count: 1, callsAvoided: 0, external: false }), moveOn: async () => {} },
  report: { plan },
})
