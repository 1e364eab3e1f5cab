import { z } from 'zod'
import type { Methods } from '../invoke.ts'
import { type Method, method } from '../method.ts'
import { openRpc } from '../openrpc.ts'
import { nothing } from './common.ts'
import { doctor } from './doctor.ts'
import { escalations } from './escalations.ts'
import { subscribe } from './events.ts'
import { goals } from './goals.ts'
import { history } from './history.ts'
import { logs } from './log.ts'
import { why } from './reasons.ts'
import { status } from './status.ts'
import { tasks } from './tasks.ts'
import { ticks } from './ticks.ts'

const discover = method({
  name: 'rpc.discover',
  summary: 'This description of all methods, as an OpenRPC document.',
  params: nothing,
  result: z.record(z.string(), z.unknown()),
  run: (_, services) => openRpc(table, services.version),
})

/** Everything that can be called. */
const table: readonly Method[] = [
  discover,
  status,
  ...ticks,
  ...tasks,
  ...goals,
  ...logs,
  ...escalations,
  why,
  ...history,
  doctor,
  subscribe,
]

export const methods: Methods = new Map(table.map((one) => [one.name, one]))
