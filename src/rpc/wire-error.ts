import { Fault, type FaultCode, type FaultKind } from '../domain/errors.ts'

/** An error as JSON-RPC carries it. `data` holds the Fault's code and kind, and beside them its facts. */
export interface WireError {
  code: number
  message: string
  data: { code: FaultCode; kind: FaultKind } & Record<string, unknown>
}

const application = -32000
const internal = -32603
/** Faults of the protocol's own have the numbers that its specification gives them. */
const numbers: Readonly<Record<string, number>> = {
  'rpc/parse-error': -32700,
  'rpc/invalid-request': -32600,
  'rpc/too-large': -32600,
  'rpc/unknown-method': -32601,
  'rpc/invalid-params': -32602,
  'runtime/unexpected': internal,
}

/** Whatever was thrown, as the Fault it is or stands for. */
export const asFault = (error: unknown): Fault =>
  error instanceof Fault
    ? error
    : new Fault('runtime/unexpected', error instanceof Error ? error.message : String(error))

export function toWire(error: unknown): WireError {
  const { code, kind, message, data } = asFault(error)
  return { code: numbers[code] ?? application, message, data: { ...carried(data), code, kind } }
}

/** The Fault that `toWire` was given, from whatever the other side sent. */
export function fromWire(error: unknown): Fault {
  const { message, data } = isRecord(error) ? error : {}
  const { code, kind, ...facts } = isRecord(data) ? data : {}
  return new Fault(
    isCode(code) ? code : 'runtime/unexpected',
    typeof message === 'string' ? message : 'The other side failed and did not say how.',
    facts,
    kind === 'use' || kind === 'unreachable' ? kind : 'failed',
  )
}

/** Facts that JSON cannot hold stay behind; the sentence says what matters. */
function carried(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  try {
    return JSON.parse(JSON.stringify(facts)) as Record<string, unknown>
  } catch {
    return {}
  }
}

const isCode = (code: unknown): code is FaultCode => typeof code === 'string' && code.includes('/')

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
