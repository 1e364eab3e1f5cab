import { z } from 'zod'
import { EvaluationState } from '../../domain/evaluation.ts'
import { method } from '../method.ts'
import { LogRow, logRow, Time } from '../rows.ts'
import { given, limit } from './common.ts'

const log = method({
  name: 'subconscious.log_list',
  summary: 'The activity log, newest first. For the next page, give the id of the last row as before.',
  params: z.strictObject({
    task: given.optional(),
    tick: given.optional(),
    state: EvaluationState.optional(),
    world: given.optional(),
    since: Time.optional(),
    before: given.optional(),
    limit: limit(50),
  }),
  result: z.array(LogRow),
  run: (query, services) => services.evaluations.log(query).map(logRow),
})

const notifications = method({
  name: 'subconscious.notifications_list',
  summary: 'What the user was told, newest first.',
  params: z.strictObject({ limit: limit(50) }),
  result: z.array(
    z.strictObject({ seq: z.int(), kind: z.string(), title: z.string(), body: z.string(), at: Time }).meta({
      id: 'Notification',
    }),
  ),
  run: ({ limit: most }, services) => services.notifications(most),
})

export const logs = [log, notifications]
