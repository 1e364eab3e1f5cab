/** `room/what-is-wrong`; every code is listed in docs/errors.md. */
export type FaultCode = `${string}/${string}`

/** `use`: the caller asked wrongly; `unreachable`: nobody is there to ask; `failed`: everything else. */
export type FaultKind = 'use' | 'failed' | 'unreachable'

export type FaultData = Readonly<Record<string, unknown>>

/**
 * An error that people and programs can act on: a stable code, a sentence on what happened and what to do,
 * and the facts it was made from. Everything undermind refuses or fails to do is one of these.
 */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly code: FaultCode
  readonly data: FaultData
  readonly kind: FaultKind

  constructor(code: FaultCode, sentence: string, data: FaultData = {}, kind: FaultKind = 'failed') {
    super(sentence)
    this.code = code
    this.data = data
    this.kind = kind
  }

  /** An error that the caller can put right by asking differently. */
  static use(code: FaultCode, sentence: string, data: FaultData = {}): Fault {
    return new Fault(code, sentence, data, 'use')
  }
}

/** What is left of an error once it is a row or a message: `Error` objects do not survive JSON. */
export interface Failure {
  code: FaultCode
  message: string
}

export const failureOf = (error: unknown): Failure =>
  error instanceof Fault
    ? { code: error.code, message: error.message }
    : { code: 'runtime/unexpected', message: error instanceof Error ? error.message : String(error) }
