import type { ActorHost } from '../actors/actor-host.ts'
import type { Policy } from '../actors/ports.ts'
import type { Source } from '../domain/change.ts'
import type { Clock } from '../domain/clock.ts'
import type { TickId } from '../domain/ids.ts'
import type { Task } from '../domain/task.ts'
import type { MemoryPorts } from '../profiles/memory.ts'
import { isTooLate } from '../tasks/lateness.ts'
import { type DueAt, type DueTasks, dueTasks } from './due-tasks.ts'
import { checkHealth } from './health.ts'
import type { HeartbeatTasks } from './heartbeat-tasks.ts'
import { observeSource } from './observe.ts'
import type { Reports } from './reports.ts'
import type { Stores } from './stores.ts'

export interface MemoryParts {
  host: Pick<ActorHost, 'write'>
  stores: Stores
  clock: Clock
  sources: readonly Source[]
  heartbeatTasks: HeartbeatTasks
  reports: Reports
  policy: Policy
  timezone(): string
  /** What a running tick has found due; looked up again where a restart has lost it. */
  found: Map<TickId, DueTasks>
}

/** What the memory profile may see and move, for one tick. */
export function memoryPorts(parts: MemoryParts, due: DueAt): MemoryPorts {
  const { host, stores, sources } = parts
  return {
    sources: {
      async observe(signal) {
        await parts.heartbeatTasks.follow()
        let failed: unknown
        let read = 0
        for (const source of sources) {
          try {
            await observeSource(source, parts, signal)
            read++
          } catch (error) {
            if (signal.aborted) throw error
            failed = error
          }
        }
        // One source's failure touches no other, but when none could be read nothing has been observed.
        if (read === 0 && failed !== undefined) throw failed
        await checkHealth(parts)
        return stores.changes.head()
      },
    },
    tasks: {
      async toJudge(head) {
        await passOver(parts, due)
        const found = await dueTasks(stores, due, head)
        // A tick that never came to its commit has left what it had found.
        parts.found.clear()
        parts.found.set(due.tick, found)
        return { count: found.toJudge.length, callsAvoided: found.unchanged.length, external: found.external }
      },
      async moveOn(head) {
        parts.found.delete(due.tick)
        const over = stores.tasks.dueByDate(due.world, due.at).filter(recurs)
        const unchanged = over.length === 0 ? [] : (await dueTasks(stores, due, head)).unchanged
        await host.write((turn) => {
          for (const task of unchanged) {
            if (recurs(task)) stores.tasks.update(task.id, { nextRunAt: parts.policy.nextRunAt(task, turn.now) })
          }
          stores.ticks.seenThrough(due.world, head)
        })
      },
    },
    report: {
      plan: async (head) => {
        const { toJudge } = parts.found.get(due.tick) ?? (await dueTasks(stores, due, head))
        return parts.reports.plan(due.tick, toJudge, head)
      },
    },
  }
}

const recurs = ({ schedule }: Pick<Task, 'schedule'>): boolean => schedule.kind === 'every' || schedule.kind === 'cron'

/** Occurrences that came too late by their task's own rule are passed over, and the user is told which. */
async function passOver(parts: MemoryParts, due: DueAt): Promise<void> {
  const { host, stores, policy, timezone } = parts
  const late = lateTasks(parts, due, timezone())
  if (late.length === 0) return
  await host.write((turn) => {
    for (const task of late) {
      stores.tasks.update(task.id, { nextRunAt: policy.nextRunAt(task, turn.now) })
      const title = `Missed: ${task.title}`
      const body = 'Its time had passed by more than it may be late, so it waits for its next one.'
      stores.records.notify({ key: `missed:${task.id}:${task.nextRunAt}`, kind: 'missed', title, body, at: turn.now })
      turn.news({ type: 'notification', title, body })
    }
  })
}

const lateTasks = ({ stores }: MemoryParts, due: DueAt, zone: string): Task[] =>
  stores.tasks.dueByDate(due.world, due.at).filter(({ schedule, catchUp, maxLatenessMs, nextRunAt, attempts }) => {
    if (nextRunAt === null || attempts > 0 || schedule.kind !== 'cron') return false
    return isTooLate({ catchUp, maxLatenessMs, schedule, due: nextRunAt, now: due.at, zone })
  })
