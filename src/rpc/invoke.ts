import { Fault } from '../domain/errors.ts'
import type { Caller, Method } from './method.ts'
import type { Services } from './services.ts'
import { asFault } from './wire-error.ts'

export type Methods = ReadonlyMap<string, Method>

export interface InvokeParts {
  methods: Methods
  services: Services
  /** Holds every result to its schema; for tests, since the compiler has done it already. */
  checkResults?: boolean
}

export type Invoke = (name: string, params: unknown, caller: Caller) => Promise<unknown>

/** Calls a method by name. Whatever goes wrong is thrown as a Fault. */
export async function invoke(parts: InvokeParts, name: string, params: unknown, caller: Caller): Promise<unknown> {
  const { methods, services, checkResults = false } = parts
  try {
    const method = methods.get(name)
    if (!method) {
      throw Fault.use('rpc/unknown-method', `There is no method ${readable(name)}. rpc.discover lists what there is.`, {
        method: name,
      })
    }
    const result = (await method.call(params, services, caller)) ?? null
    return checkResults ? method.result.parse(result) : result
  } catch (error) {
    throw asFault(error)
  }
}

const readable = (name: string): string => (/^[\w.$/-]{1,100}$/.test(name) ? name : JSON.stringify(name.slice(0, 100)))
