import { heartbeatId, instanceId } from '../actors/heartbeat.ts'
import { dueAgainAt } from '../actors/instance.ts'
import { type Clock, minute } from '../domain/clock.ts'
import type { ActorId } from '../domain/ids.ts'
import type { Settings } from '../domain/settings.ts'
import { memoryProfile } from '../profiles/memory.ts'
import { memoryWorld } from './blank-task.ts'
import type { Engine } from './engine.ts'
import { plantSeeds } from './seeds.ts'

/** Makes sure that what every workspace has is there, and takes up what an earlier process left. Nothing beats yet. */
export async function prepare(engine: Engine, settings: Settings, clock: Clock): Promise<void> {
  const { host, stores, heartbeatTasks } = engine
  const { overlap, interval_minutes: interval } = settings.heartbeat
  await host.write(() => {
    plantSeeds(stores, clock.now())
    stores.ticks.registerWorld({ id: memoryWorld, kind: 'memory', title: memoryProfile.title })
  })
  await host.spawn('heartbeat', heartbeatId, {}, null)
  await host.spawn('instance', instanceId(memoryWorld), { world: memoryWorld, overlap }, heartbeatId)
  await host.dispatch({ to: instanceId(memoryWorld), event: { type: 'settingsChanged', overlap } })
  // A process that was killed left the heart beating; it beats again when this one is told to.
  await host.dispatch({ to: heartbeatId, event: { type: 'stop' } })
  await leaveBehindOldTicks(engine, clock.now() - interval * minute)
  await host.start()
  await heartbeatTasks.follow()
  await setNextTick(engine)
}

/** A tick that a crash left behind goes on, unless it is older than one cadence: then the next one covers its window. */
async function leaveBehindOldTicks({ host, stores }: Engine, before: number): Promise<void> {
  for (const { id: tick, startedAt } of stores.ticks.running()) {
    if (startedAt >= before) continue
    const event = { type: 'cancel', reason: 'Left behind by an earlier run' }
    await host.dispatch({ to: tick as string as ActorId, event })
  }
}

/** The cadence may have changed while nothing ran; a world that has failed keeps the pause it was in. */
async function setNextTick({ host, stores, policy }: Engine): Promise<void> {
  const row = stores.ticks.world(memoryWorld)
  if (row?.state !== 'resting') return
  await host.write(({ now }) => {
    const dueAt = dueAgainAt({ ...row, world: row.id }, now, stores, policy)
    const isPausing = dueAt !== null && row.nextTickAt !== null && row.consecutiveFailures > 0
    stores.ticks.setNextTick(memoryWorld, isPausing ? row.nextTickAt : dueAt)
  })
}
