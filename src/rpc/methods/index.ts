import { z } from 'zod'
import type { Methods } from '../invoke.ts'
import { type Method, method } from '../method.ts'
import { openRpc } from '../openrpc.ts'
import { nothing } from './common.ts'
import { doctor } from './doctor.ts'
import { doorLink } from './door.ts'
import { escalations } from './escalations.ts'
import { subscribe } from './events.ts'
import { goals } from './goals.ts'
import { history } from './history.ts'
import { imports } from './import.ts'
import { inspector } from './inspector.ts'
import { legacy } from './legacy.ts'
import { logs } from './log.ts'
import { orchestration } from './orchestration.ts'
import { why } from './reasons.ts'
import { status } from './status.ts'
import { steering } from './steering.ts'
import { tasks } from './tasks.ts'
import { ticks } from './ticks.ts'
import { usage } from './usage.ts'

const discover = method({
  name: 'rpc.discover',
  summary: 'This description of all methods, as an OpenRPC document.',
  params: nothing,
  result: z.record(z.string(), z.unknown()),
  run: (_, services) => openRpc(everything(), services.version),
})

/** Everything that a new client calls. */
const table = [
  discover,
  status,
  ...ticks,
  ...tasks,
  ...goals,
  ...logs,
  ...escalations,
  why,
  ...history,
  ...orchestration,
  ...steering,
  usage,
  doctor,
  subscribe,
  ...inspector,
  ...imports,
  doorLink,
]

/** By name, what a method takes and what it answers with. */
export type MethodTable = {
  [One in (typeof table)[number] as One['name']]: { params: z.input<One['params']>; result: z.output<One['result']> }
}

const everything = (): readonly Method[] => [...table, ...legacy]

export const methods: Methods = new Map(everything().map((one) => [one.name, one]))
