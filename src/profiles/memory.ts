import { id, type WorldId } from '../domain/ids.ts'
import { effectiveMode } from '../domain/settings.ts'
import type { Plan, Profile } from '../domain/world.ts'

/** The window on the world that the memory profile is handed for one tick. */
export interface MemoryPorts {
  sources: {
    /** Records what differs from the sources' baselines; returns the last change there is. */
    observe(signal: AbortSignal): Promise<number>
  }
  tasks: {
    /** Due tasks that have something to judge among the changes up to `head`. */
    toJudge(head: number): Promise<{ count: number; callsAvoided: number; external: boolean }>
    /** Moves the schedules of due tasks that had nothing to judge. */
    moveOn(head: number): Promise<void>
  }
  report: {
    /** Shares those tasks out into batches, each with the window its report can show. */
    plan(head: number, signal: AbortSignal): Promise<Plan>
  }
}

/** Watches the user's sources and judges the standing tasks on what changed in them. */
export const memoryProfile: Profile<MemoryPorts, Plan> = {
  id: id<WorldId>('memory'),
  title: 'Memory awareness',
  description: 'Watches your sources and judges your standing tasks on what changed in them.',
  stage: 'judge',
  // Its tasks may be run now, and its cards wait for answers, whatever mode it is in.
  onRequest: true,
  cadence: (settings) => {
    const { enabled, inference_enabled, interval_minutes } = settings.heartbeat
    return enabled && inference_enabled && effectiveMode(settings) !== 'off' ? interval_minutes : null
  },
  async observe(ports, signal) {
    const head = await ports.sources.observe(signal)
    const { count, callsAvoided, external } = await ports.tasks.toJudge(head)
    return {
      rendered: count === 0 ? 'Nothing to judge' : `${count} to judge`,
      hasChanges: count > 0,
      hasExternalContent: external,
      commitToken: head,
      callsAvoided,
    }
  },
  prepareContext: (ports, observation, signal) => ports.report.plan(Number(observation.commitToken), signal),
  reflect: ({ hasChanges }, plan) => (hasChanges && plan !== null ? { kind: 'evaluate', plan } : { kind: 'idle' }),
  commit: (ports, token) => ports.tasks.moveOn(Number(token)),
  origin: (observation) => (observation.hasExternalContent ? 'tainted' : 'trusted'),
}
