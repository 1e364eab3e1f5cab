import { z } from 'zod'

/*
 * What programs rely on in the output of the commands. There may be more in it, never less.
 */

const time = z.number().nullable()

const Source = z.looseObject({
  source: z.string(),
  key: z.string(),
  quote: z.string().nullish(),
  external: z.boolean(),
})

const state = z.enum([
  'inProgress',
  'acted',
  'skipped',
  'awaitingApproval',
  'failed',
  'cancelled',
  'superseded',
  'dismissed',
])

export const Evaluation = z.looseObject({
  id: z.string(),
  task: z.string(),
  state,
  text: z.string().nullable(),
  sources: z.array(Source),
})

export const Tick = z.looseObject({
  world: z.string(),
  tick: z.string(),
  state: z.string(),
  modelCalls: z.int(),
  evaluations: z.array(Evaluation.extend({ title: z.string() })),
  durationMs: z.number(),
})

export const Status = z.looseObject({
  worlds: z.array(
    z.looseObject({
      id: z.string(),
      title: z.string(),
      state: z.string(),
      lastTickAt: time,
      totalTicks: z.int(),
      consecutiveFailures: z.int(),
    }),
  ),
  tasks: z.int(),
  pendingApprovals: z.int(),
  running: z.boolean(),
})

export const Log = z.array(Evaluation.extend({ title: z.string(), createdAt: z.number(), settledAt: time }))

export const Cards = z.array(
  z.looseObject({
    id: z.string(),
    task: z.string(),
    state: z.string(),
    digest: z.string(),
    external: z.boolean(),
    createdAt: z.number(),
    calls: z.array(z.looseObject({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) })),
    callsShown: z.array(
      z.looseObject({
        tool: z.string(),
        target: z.string(),
        arguments: z.array(z.looseObject({ name: z.string(), value: z.string() })),
      }),
    ),
  }),
)

export const Tasks = z.array(
  z.looseObject({
    id: z.string(),
    title: z.string(),
    source: z.enum(['system', 'user']),
    intent: z.enum(['read', 'write']),
    schedule: z.looseObject({ kind: z.enum(['every-tick', 'once', 'cron', 'every']) }),
    enabled: z.boolean(),
    nextRunAt: time,
  }),
)

export const Failure = z.looseObject({
  error: z.strictObject({ code: z.string(), message: z.string(), data: z.looseObject({}) }),
})
