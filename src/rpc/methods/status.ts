import { z } from 'zod'
import { method } from '../method.ts'
import { Time } from '../rows.ts'
import { snake } from '../snake.ts'
import { nothing } from './common.ts'
import { UsageTodayRow } from './usage.ts'

const Instance = z
  .strictObject({
    instance: z.string(),
    enabled: z.boolean(),
    mode: z.string(),
    interval_minutes: z.int(),
    task_count: z.int(),
    pending_escalations: z.int(),
    provider_available: z.boolean(),
    provider_unavailable_reason: z.string().nullable(),
    title: z.string(),
    description: z.string(),
    state: z.string(),
    cadence_minutes: z.number().nullable(),
    last_tick_at: Time.nullable(),
    next_tick_at: Time.nullable(),
    total_ticks: z.int(),
    consecutive_failures: z.int(),
    failure_reason: z.string().nullable(),
    halted_reason: z.string().nullable(),
    paused: z.boolean(),
  })
  .meta({ id: 'Instance', description: 'A world that is watched.' })

const HeartbeatFile = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('read'), tasks: z.int() }),
    z.strictObject({ kind: z.literal('absent') }),
    z.strictObject({ kind: z.literal('noTask') }),
    z.strictObject({ kind: z.literal('unreadable'), reason: z.string() }),
  ])
  .meta({ id: 'HeartbeatFile' })

const Route = z
  .strictObject({
    stage: z.enum(['judge', 'text', 'tools', 'analyse']),
    route: z.enum(['local', 'cloud']),
    provider: z.string(),
    model: z.string(),
    available: z.boolean(),
    reason: z.string().nullable(),
  })
  .meta({ id: 'Route', description: 'Who does a part of the work, and what stands in the way.' })

const Status = z
  .strictObject({
    enabled: z.boolean(),
    mode: z.string(),
    interval_minutes: z.int(),
    last_tick_at: Time.nullable(),
    total_ticks: z.int(),
    task_count: z.int(),
    pending_escalations: z.int(),
    consecutive_failures: z.int(),
    provider_available: z.boolean(),
    provider_unavailable_reason: z.string().nullable(),
    workspace: z.string(),
    trusted: z.boolean(),
    model: z.strictObject({ provider: z.string(), model: z.string() }),
    heartbeat_file: HeartbeatFile,
    sources: z.array(
      z.strictObject({ id: z.string(), title: z.string(), health: z.string(), failure: z.string().nullable() }),
    ),
    paused_tasks: z.array(z.strictObject({ id: z.string(), title: z.string(), why: z.string() })),
    dead_letters: z.int(),
    stalled: z.string().nullable(),
    usage: UsageTodayRow,
    routes: z.array(Route),
    instances: z.array(Instance),
  })
  .meta({ id: 'Status' })

/** The world whose numbers stand at the top. */
export const mainWorld = 'memory'

export const status = method({
  name: 'subconscious.status',
  summary: 'How everything stands: the memory world at the top, every world in instances. Never waits for a tick.',
  params: nothing,
  result: Status,
  run(_, services) {
    const { tasks, pendingApprovals, ...view } = services.status()
    const main = view.instances.find(({ instance }) => instance === mainWorld)
    return {
      ...snake(view),
      last_tick_at: main?.lastTickAt ?? null,
      total_ticks: main?.totalTicks ?? 0,
      consecutive_failures: main?.consecutiveFailures ?? 0,
      task_count: tasks,
      pending_escalations: pendingApprovals,
    }
  },
})
