import { z } from 'zod'
import { Fault } from '../../domain/errors.ts'
import type { TickId } from '../../domain/ids.ts'
import { method } from '../method.ts'
import { invalidParams } from '../params.ts'
import { LogRow, logRow } from '../rows.ts'
import type { Services, TickView } from '../services.ts'
import { answerer, answering, given } from './common.ts'

const everyWorld = 'all'
/** A name that a world had before it was renamed. */
const formerNames: Readonly<Record<string, string>> = { tiny_place: 'tinyplace' }

const kind = z.string().max(100).meta({ description: 'Id of a world, or "all".' })

const EndedTick = z
  .strictObject({
    world: z.string(),
    tick: z.string(),
    state: z.string(),
    reason: z.string().nullable(),
    model_calls: z.int(),
    evaluations: z.array(
      LogRow.pick({ id: true, task: true, title: true, state: true, text: true, reason: true, sources: true }),
    ),
    calls_avoided: z.int(),
    duration_ms: z.number(),
  })
  .meta({ id: 'EndedTick' })

const Instances = z.strictObject({
  instances: z.array(z.strictObject({ instance: z.string(), state: z.string() })),
})

const trigger = method({
  name: 'subconscious.trigger',
  summary: 'Asks worlds to tick now. Answers at once with the ids of the ticks, or with wait when they have ended.',
  params: z.strictObject({
    kind: kind.default('memory'),
    force: z.boolean().default(false).meta({ description: 'Judge due tasks even where nothing has changed.' }),
    wait: z.boolean().default(false),
  }),
  result: z.strictObject({ ticks: z.union([z.array(z.string()), z.array(EndedTick)]) }),
  async run({ kind: which, force, wait }, services) {
    const ticks = await triggerKind(services, which, force)
    if (!wait) return { ticks }
    return { ticks: (await Promise.all(ticks.map((tick) => services.worlds.outcome(tick)))).map(endedTick) }
  },
})

const cancel = method({
  name: 'subconscious.cancel',
  summary: 'Stops an evaluation or a tick.',
  params: z
    .strictObject({ evaluation: given.optional(), tick: given.optional(), ...answering })
    .refine(
      ({ evaluation, tick }) => (evaluation === undefined) !== (tick === undefined),
      'give an evaluation or a tick',
    ),
  result: z.strictObject({ cancelled: z.literal(true) }),
  async run({ evaluation, tick, ...who }, services) {
    if (evaluation !== undefined) await services.evaluations.cancel(evaluation, answerer(who))
    if (tick !== undefined) await services.worlds.cancelTick(tick, answerer(who))
    return { cancelled: true as const }
  },
})

const pause = method({
  name: 'subconscious.pause',
  summary: 'Lets worlds tick no more until they are resumed. Answers to cards still count.',
  params: z.strictObject({ kind: kind.default(everyWorld) }),
  result: Instances,
  run: ({ kind: which }, services) => each(services, which, (world) => services.worlds.pause(world)),
})

const resume = method({
  name: 'subconscious.resume',
  summary: 'Lets paused worlds tick again.',
  params: z.strictObject({ kind: kind.default(everyWorld) }),
  result: Instances,
  run: ({ kind: which }, services) => each(services, which, (world) => services.worlds.resume(world)),
})

export const ticks = [trigger, cancel, pause, resume]

function worldsOf(services: Services, kind: string): string[] {
  if (kind === everyWorld) return services.worlds.ids()
  const world = Object.hasOwn(formerNames, kind) ? formerNames[kind]! : kind
  const known = services.worlds.ids(world)
  if (known.includes(world)) return [world]
  const there = [...known, everyWorld].join(', ')
  throw invalidParams(`There is no world ${JSON.stringify(kind.slice(0, 60))}. The worlds are ${there}.`, {
    fields: ['kind'],
  })
}

/** One that is asked for by name must be able to tick; of all of them, those tick that can. */
export async function triggerKind(services: Services, which: string, force: boolean): Promise<TickId[]> {
  const asked = await Promise.allSettled(
    worldsOf(services, which).map((world) => services.worlds.trigger(world, { force })),
  )
  const ticks = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const refused = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  const serious = refused.find((reason) => !(reason instanceof Fault && reason.code === 'world/paused'))
  if (serious !== undefined) throw serious
  if (ticks.length === 0 && refused.length > 0) throw refused[0]
  return ticks
}

async function each(services: Services, kind: string, order: (world: string) => Promise<string>) {
  const instances = []
  for (const instance of worldsOf(services, kind)) instances.push({ instance, state: await order(instance) })
  return { instances }
}

function endedTick({ tick, evaluations }: TickView): z.input<typeof EndedTick> {
  return {
    world: tick.world,
    tick: tick.id,
    state: tick.state,
    reason: tick.reason,
    model_calls: tick.modelCalls,
    evaluations: evaluations.map(logRow).map(({ id, task, title, state, text, reason, failure, sources }) => ({
      id,
      task,
      title,
      state,
      text,
      reason: reason ?? failure?.message ?? null,
      sources,
    })),
    calls_avoided: tick.callsAvoided,
    duration_ms: (tick.endedAt ?? tick.startedAt) - tick.startedAt,
  }
}
