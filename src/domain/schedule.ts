import { z } from 'zod'

/** When a task is due. `cron` has five fields, Monday is 1 and Sunday 0 or 7, in an IANA zone; `at` is an ISO time. */
export const Schedule = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('every-tick') }),
  z.strictObject({ kind: z.literal('once'), at: z.iso.datetime({ offset: true }).optional() }),
  z.strictObject({ kind: z.literal('cron'), expression: z.string(), timezone: z.string().optional() }),
  z.strictObject({
    kind: z.literal('every'),
    minutes: z
      .number()
      .int()
      .min(1)
      .max(366 * 24 * 60),
  }),
])
export type Schedule = z.infer<typeof Schedule>
