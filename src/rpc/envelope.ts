import { z } from 'zod'
import { type Method, method } from './method.ts'
import type { Services } from './services.ts'

interface LegacyDefinition<Params extends z.ZodType, Result extends z.ZodType> {
  /** Without what all these names begin with. */
  name: string
  summary: string
  params: Params
  result: Result
  /** What the envelope says happened. */
  log: string
  run(params: z.output<Params>, services: Services): z.input<Result> | Promise<z.input<Result>>
}

/** A method as clients of OpenHuman call it: its result comes in an envelope, beside a line of log. */
export const legacyMethod = <Params extends z.ZodType, Result extends z.ZodType>(
  definition: LegacyDefinition<Params, Result>,
): Method => {
  const { name, summary, params, result, log, run } = definition
  return method({
    name: `openhuman.subconscious_${name}`,
    summary,
    deprecated: true,
    params,
    result: z.strictObject({ result: z.unknown(), logs: z.array(z.string()) }).extend({ result }),
    run: async (given, services) => ({ result: await run(given, services), logs: [log] }),
  })
}
