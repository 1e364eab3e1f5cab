import { z } from 'zod'
import { method } from '../method.ts'
import { nothing } from './common.ts'

export const doctor = method({
  name: 'subconscious.doctor',
  summary: 'Checks everything a tick needs and says how to put right what is not well.',
  params: nothing,
  result: z.array(
    z
      .strictObject({ check: z.string(), ok: z.boolean(), found: z.string(), fix: z.string().nullable() })
      .meta({ id: 'Finding' }),
  ),
  run: (_, services) => services.doctor(),
})
