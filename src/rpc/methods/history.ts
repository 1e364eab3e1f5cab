import { z } from 'zod'
import { method } from '../method.ts'
import { Time } from '../rows.ts'
import { given } from './common.ts'

const undo = method({
  name: 'subconscious.undo',
  summary:
    'Puts back what an evaluation changed in files. With force also what was changed since; a copy of that is kept.',
  params: z.strictObject({ evaluation: given, force: z.boolean().default(false) }),
  result: z.array(
    z.strictObject({
      path: z.string(),
      outcome: z.enum(['restored', 'removed', 'unchanged']),
      copy: z.string().nullable(),
    }),
  ),
  run: ({ evaluation, force }, services) => services.evaluations.undo(evaluation, { force }),
})

const replay = method({
  name: 'subconscious.replay',
  summary: 'Runs an evaluation again from its journal, without any effect, step by step.',
  params: z.strictObject({ evaluation: given }),
  result: z.array(
    z.strictObject({ version: z.int(), at: Time, event: z.string(), recorded: z.string(), replayed: z.string() }),
  ),
  run: ({ evaluation }, services) => services.evaluations.replay(evaluation),
})

export const history = [undo, replay]
