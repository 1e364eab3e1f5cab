import type { z } from 'zod'
import type { Feed } from './feed.ts'
import { readParams } from './params.ts'
import type { Services } from './services.ts'

/** Whoever is at the other end of a call. */
export interface Caller {
  /** Begins to send news to them and names the subscription; absent where the connection cannot carry news. */
  beginNews?(): string
  /** What the connection is sent beside answers and news; absent where it cannot carry that. */
  readonly feeds?: Feeds
  /** Makes a link that opens the dashboard once; absent for everybody who has not shown that they are this machine's user. */
  doorLink?(): Promise<{ url: string; link: string }>
}

/** Feeds of notifications to one caller, by name. */
export interface Feeds {
  /** Takes the place of one of the same name. Throws `rpc/too-many-subscriptions`. */
  begin(name: string, feed: Feed<string>): void
  /** True when there was one. */
  end(name: string): boolean
}

/** One thing that can be asked for by name, with its schemas. */
export interface Method<
  Name extends string = string,
  Params extends z.ZodType = z.ZodType,
  Result extends z.ZodType = z.ZodType,
> {
  readonly name: Name
  readonly summary: string
  /** Served for clients of another program; new ones use the method that it stands for. */
  readonly deprecated: boolean
  readonly params: Params
  readonly result: Result
  /** Throws `rpc/invalid-params` for parameters its schema refuses, and whatever the services throw. */
  call(given: unknown, services: Services, caller: Caller): Promise<unknown>
}

interface Definition<Name extends string, Params extends z.ZodType, Result extends z.ZodType> {
  name: Name
  /** A sentence for the document that clients are made from. */
  summary: string
  deprecated?: boolean
  params: Params
  /** What is answered, on the wire. The compiler holds `run` to it; tests check it at run time. */
  result: Result
  run(params: z.output<Params>, services: Services, caller: Caller): z.input<Result> | Promise<z.input<Result>>
}

/** A schema in, a schema out, and a function between. */
export const method = <const Name extends string, Params extends z.ZodType, Result extends z.ZodType>(
  definition: Definition<Name, Params, Result>,
): Method<Name, Params, Result> => {
  const { name, summary, deprecated = false, params, result, run } = definition
  return {
    name,
    summary,
    deprecated,
    params,
    result,
    call: async (given, services, caller) => run(readParams(name, params, given), services, caller),
  }
}
