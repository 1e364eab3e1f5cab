import { heartbeatId } from '../actors/heartbeat.ts'
import { type Clock, minute } from '../domain/clock.ts'
import type { ActorId } from '../domain/ids.ts'
import type { Settings } from '../domain/settings.ts'
import type { Engine } from './engine.ts'
import { plantSeeds } from './seeds.ts'

/** Makes sure that what every workspace has is there, and takes up what an earlier process left. Nothing beats yet. */
export async function prepare(engine: Engine, settings: Settings, clock: Clock): Promise<void> {
  const { host, stores, heartbeatTasks, registry } = engine
  await host.write(() => plantSeeds(stores, clock.now()))
  await host.spawn('heartbeat', heartbeatId, {}, null)
  // A process that was killed left the heart beating; it beats again when this one is told to.
  await host.dispatch({ to: heartbeatId, event: { type: 'stop' } })
  await leaveBehindOldTicks(engine, settings, clock.now())
  await host.start()
  await heartbeatTasks.follow()
  await registry.ensure()
  await engine.sessions.pin()
}

/** A tick that a crash left behind goes on, unless it is older than one cadence: then the next one covers its window. */
async function leaveBehindOldTicks({ host, stores, policy }: Engine, settings: Settings, now: number): Promise<void> {
  const usual = settings.heartbeat.interval_minutes * minute
  for (const { id: tick, world, startedAt } of stores.ticks.running()) {
    if (startedAt >= now - (policy.cadenceMs(world) ?? usual)) continue
    const event = { type: 'cancel', reason: 'Left behind by an earlier run' }
    await host.dispatch({ to: tick as string as ActorId, event })
  }
}
