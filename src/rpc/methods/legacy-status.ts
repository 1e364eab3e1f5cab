import { z } from 'zod'
import { legacyMethod } from '../envelope.ts'
import type { InstanceView } from '../services.ts'
import { nothing } from './common.ts'
import { seconds, UnixSeconds } from './legacy-time.ts'
import { mainWorld } from './status.ts'

/** What is said of the whole, and again of each world. */
const shared = {
  enabled: z.boolean(),
  mode: z.string(),
  provider_available: z.boolean(),
  provider_unavailable_reason: z.string().nullable(),
  interval_minutes: z.number(),
  last_tick_at: UnixSeconds.nullable(),
  total_ticks: z.int(),
  consecutive_failures: z.int(),
}

const LegacyStatus = z
  .strictObject({
    ...shared,
    task_count: z.int(),
    pending_escalations: z.int(),
    instances: z.array(
      z.strictObject({
        ...shared,
        instance: z.string(),
        title: z.string(),
        description: z.string(),
        state: z.string(),
        cadence_minutes: z.number().nullable(),
        next_tick_at: UnixSeconds.nullable(),
        halted_reason: z.string().nullable(),
        paused: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'LegacyStatus' })

export const legacyStatus = legacyMethod({
  name: 'status',
  summary: 'How everything stands: the memory world at the top, every world in instances. Never waits for a tick.',
  params: nothing,
  result: LegacyStatus,
  log: 'subconscious status',
  run(_, services) {
    const view = services.status()
    const whole = {
      enabled: view.enabled,
      mode: view.mode,
      provider_available: view.providerAvailable,
      provider_unavailable_reason: view.providerUnavailableReason,
    }
    const counts = (one: InstanceView | undefined) => ({
      last_tick_at: seconds(one?.lastTickAt ?? null),
      total_ticks: one?.totalTicks ?? 0,
      consecutive_failures: one?.consecutiveFailures ?? 0,
    })
    return {
      ...whole,
      ...counts(view.instances.find(({ instance }) => instance === mainWorld)),
      interval_minutes: view.intervalMinutes,
      task_count: view.tasks,
      pending_escalations: view.pendingApprovals,
      instances: view.instances.map((one) => ({
        ...whole,
        ...counts(one),
        interval_minutes: one.cadenceMinutes ?? view.intervalMinutes,
        instance: one.instance,
        title: one.title,
        description: one.description,
        state: one.state,
        cadence_minutes: one.cadenceMinutes,
        next_tick_at: seconds(one.nextTickAt),
        halted_reason: one.haltedReason,
        paused: one.paused,
      })),
    }
  },
})
