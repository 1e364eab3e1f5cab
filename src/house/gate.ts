import type { Clock } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'
import type { Halt, World } from '../domain/world.ts'
import { longestCoolDown } from '../machines/instance-words.ts'
import type { Routes } from './routes.ts'

export interface GateParts {
  routes: Routes
  clock: Clock
}

/** Who is asked for a world just now, as `<provider>:<model>`. */
export function modelOf({ stage }: Pick<World, 'stage'>, routes: Pick<Routes, 'judge' | 'analyst'>): string {
  if (stage === undefined) return 'none'
  const { id, model } = stage === 'judge' ? routes.judge() : routes.analyst()
  return `${id}:${model}`
}

/**
 * Lets a tick pass whose model can be asked. Throws `model/cannot-ask` where that cannot be, with what to do, and `world/halted`
 * while the provider is known not to serve this world. No model is asked for any of this.
 */
export async function passGate(world: World, halt: Halt | null, parts: GateParts, signal: AbortSignal): Promise<void> {
  const { stage } = world
  if (stage === undefined) return
  const { routes, clock } = parts
  const obstacle = await routes.obstacle(stage, signal)
  if (obstacle !== null) {
    throw new Fault('model/cannot-ask', `${world.title} cannot ask its model: ${obstacle}`, { world: world.id, stage })
  }
  if (halt === null || halt.signature !== `${world.id}|${modelOf(world, routes)}`) return
  const left = halt.openAt - clock.now()
  if (left <= 0 || left > longestCoolDown) return
  throw new Fault(
    'world/halted',
    `${world.title} asks no model: ${halt.reason} It tries once more by itself later; undermind resume tries now.`,
    { world: world.id, openAt: halt.openAt },
  )
}

/** A failed call as its world should take it: what no waiting helps against halts the world instead of being tried again. */
export function asRateCap(error: unknown): unknown {
  if (!(error instanceof Fault) || !isForGood(error)) return error
  return new Fault('model/rate-cap', error.message, { ...error.data, code: error.code })
}

const isForGood = ({ code, data, message }: Fault): boolean =>
  code === 'model/quota' ||
  (code === 'model/too-large' && (data.status === 413 || data.status === 429 || perMinute.test(message)))

const perMinute = /tokens?[ -]per[ -]min|\bTPM\b/i
