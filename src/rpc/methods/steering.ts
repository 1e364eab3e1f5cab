import { z } from 'zod'
import { method } from '../method.ts'
import { Time } from '../rows.ts'
import { snake } from '../snake.ts'
import { answering, given, limit } from './common.ts'

const DirectiveRow = z
  .strictObject({
    id: z.string(),
    scope: z.string().nullable().meta({ description: 'The agent whose sessions it holds for; null for all.' }),
    text: z.string(),
    state: z.enum(['current', 'superseded', 'revoked', 'expired']),
    created_cycle: z.int(),
    expires_after: z.int().meta({ description: 'For how many cycles of its scope it holds.' }),
    age: z.int().meta({ description: 'Cycles of its scope since it was made.' }),
    rows: z.array(z.string()).meta({ description: 'Rows of the compressed history that it was drawn from.' }),
    again_of: z.string().nullable(),
    created_at: Time,
    ended_at: Time.nullable(),
    superseded_by: z.string().nullable(),
    revoked_by: z.string().nullable(),
  })
  .meta({ id: 'Directive', description: "Advice of the background mind's for the work of sessions." })

const list = method({
  name: 'orchestration.steering_list',
  summary: 'What steers the work of sessions, and what has: newest first.',
  params: z.strictObject({ limit: limit(50) }),
  result: z.array(DirectiveRow),
  run: ({ limit: most }, services) => snake(services.steering.list(most)),
})

const revoke = method({
  name: 'orchestration.steering_revoke',
  summary: 'Takes a directive back that holds; nothing comes in its place.',
  params: z.strictObject({ directive: given, by: answering.by }),
  result: DirectiveRow,
  run: async ({ directive, by }, services) => snake(await services.steering.revoke(directive, by)),
})

const restore = method({
  name: 'orchestration.steering_restore',
  summary: 'Lets an earlier directive hold again, for as many cycles as it was made for.',
  params: z.strictObject({ directive: given }),
  result: DirectiveRow,
  run: async ({ directive }, services) => snake(await services.steering.restore(directive)),
})

export const steering = [list, revoke, restore]
