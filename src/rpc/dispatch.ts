import { Fault } from '../domain/errors.ts'
import { type Invoke, type InvokeParts, invoke } from './invoke.ts'
import type { Caller } from './method.ts'
import { isDeeperThan } from './nesting.ts'
import { toWire } from './wire-error.ts'

/** Bytes that one message to us may have. */
export const largestMessage = 1024 * 1024
const largestBatch = 100
const deepest = 64

/** Answers the text of one JSON-RPC 2.0 message; null when there is nothing to say. Never throws. */
export type Dispatch = (text: string, caller: Caller) => Promise<string | null>

type RequestId = string | number | null

interface Request {
  /** Absent in a notification. */
  id?: RequestId
  method: string
  params: unknown
}

const members = new Set(['jsonrpc', 'method', 'params', 'id'])

/**
 * Single requests, batches and notifications as the specification has them. Beyond it: members a request does not have
 * are refused, so that a misspelt `params` does not run a method without them, and so are ids that would come back as
 * another number.
 */
export const dispatcher = (parts: InvokeParts): Dispatch =>
  dispatcherOf((name, params, caller) => invoke(parts, name, params, caller))

/** The same, for whatever calls methods by name. */
export function dispatcherOf(call: Invoke): Dispatch {
  return async (text, caller) => {
    let message: unknown
    try {
      message = read(text)
    } catch (error) {
      return failed(null, error)
    }
    if (!Array.isArray(message)) return answer(message, call, caller)
    if (message.length === 0) return failed(null, invalid('a batch has at least one request'))
    if (message.length > largestBatch) return failed(null, tooLarge(`a batch has at most ${largestBatch} requests`))
    const answers = await Promise.all(message.map((one: unknown) => answer(one, call, caller)))
    const said = answers.filter((one) => one !== null)
    return said.length === 0 ? null : `[${said.join(',')}]`
  }
}

/** The text of an error response. */
export const failed = (id: RequestId, error: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', error: toWire(error), id })

export const parseError = (): Fault =>
  Fault.use('rpc/parse-error', 'Cannot read the request: it is not JSON in UTF-8. Send one JSON value.')

export const messageTooLarge = (): Fault => tooLarge(`it has at most ${largestMessage} bytes`)

const tooLarge = (rule: string): Fault =>
  Fault.use('rpc/too-large', `Cannot take the request: ${rule}. Send less at a time.`)

const invalid = (rule: string): Fault =>
  Fault.use('rpc/invalid-request', `Not a request: ${rule}. See the JSON-RPC 2.0 specification.`)

function read(text: string): unknown {
  if (Buffer.byteLength(text) > largestMessage) throw messageTooLarge()
  if (isDeeperThan(text, deepest)) throw tooLarge(`it nests at most ${deepest} levels deep`)
  try {
    return JSON.parse(text)
  } catch {
    throw parseError()
  }
}

async function answer(message: unknown, call: Invoke, caller: Caller): Promise<string | null> {
  let request: Request
  try {
    request = asRequest(message)
  } catch (error) {
    return failed(idOf(message), error)
  }
  const { id } = request
  try {
    const result = await call(request.method, request.params, caller)
    return id === undefined ? null : JSON.stringify({ jsonrpc: '2.0', result, id })
  } catch (error) {
    return id === undefined ? null : failed(id, error)
  }
}

function asRequest(message: unknown): Request {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) throw invalid('a request is an object')
  const { jsonrpc, method, params, id } = message as Record<string, unknown>
  if (jsonrpc !== '2.0') throw invalid('jsonrpc is "2.0"')
  if (typeof method !== 'string') throw invalid('method is a string')
  if (params !== undefined && (typeof params !== 'object' || params === null)) {
    throw invalid('params is an object, or absent')
  }
  if (id !== undefined && !isId(id)) throw invalid('id is a string, an exact number or null')
  const stranger = Object.keys(message).find((member) => !members.has(member))
  if (stranger !== undefined) throw invalid(`it has no member ${JSON.stringify(stranger.slice(0, 60))}`)
  return { method, params, ...(id !== undefined && { id }) }
}

/** The id to answer with when the rest of the request cannot be understood. */
function idOf(message: unknown): RequestId {
  const id: unknown = typeof message === 'object' && message !== null && 'id' in message ? message.id : null
  return isId(id) ? id : null
}

const isId = (id: unknown): id is RequestId =>
  id === null || typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id) && isExact(id))

const isExact = (id: number): boolean => !Number.isInteger(id) || Number.isSafeInteger(id)
