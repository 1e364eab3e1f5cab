import type { z } from 'zod'
import { readParams } from './params.ts'
import type { Services } from './services.ts'

/** Whoever is at the other end of a call. */
export interface Caller {
  /** Begins to send news to them and names the subscription; absent where the connection cannot carry news. */
  beginNews?(): string
}

/** One thing that can be asked for by name, with its schemas. */
export interface Method {
  readonly name: string
  readonly summary: string
  readonly params: z.ZodType
  readonly result: z.ZodType
  /** Throws `rpc/invalid-params` for parameters its schema refuses, and whatever the services throw. */
  call(given: unknown, services: Services, caller: Caller): Promise<unknown>
}

interface Definition<Params extends z.ZodType, Result extends z.ZodType> {
  name: string
  /** A sentence for the document that clients are made from. */
  summary: string
  params: Params
  /** What is answered, on the wire. The compiler holds `run` to it; tests check it at run time. */
  result: Result
  run(params: z.output<Params>, services: Services, caller: Caller): z.input<Result> | Promise<z.input<Result>>
}

/** A schema in, a schema out, and a function between. */
export const method = <Params extends z.ZodType, Result extends z.ZodType>(
  definition: Definition<Params, Result>,
): Method => {
  const { name, summary, params, result, run } = definition
  return {
    name,
    summary,
    params,
    result,
    call: async (given, services, caller) => run(readParams(name, params, given), services, caller),
  }
}
