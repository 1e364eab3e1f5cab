import { Fault, failureOf } from '../domain/errors.ts'
import type { Paint } from './paint.ts'
import type { Io } from './parts.ts'
import { printable, printableJson } from './printable.ts'
import { wrap } from './wrap.ts'

export interface FailureShape {
  json: boolean
  /** With the stack. */
  debug: boolean
  paint: Paint
  columns: number
}

const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? '') : String(error))

/** What a program is told of an error. Facts that JSON cannot hold stay behind. */
export const errorObject = (error: unknown): { code: string; message: string; data: object } => {
  const failure = failureOf(error)
  if (!(error instanceof Fault)) return { ...failure, data: {} }
  try {
    return { ...failure, data: JSON.parse(JSON.stringify(error.data)) as object }
  } catch {
    return { ...failure, data: {} }
  }
}

/** 1 failed, 2 wrong use, 3 nobody there to ask. */
export const exitCodeOf = (error: unknown): number => {
  if (!(error instanceof Fault)) return 1
  return { failed: 1, use: 2, unreachable: 3 }[error.kind]
}

/** An error for a person: what happened and what to do, with its code. */
export const failureLines = (error: unknown, paint: Paint, columns: number): string[] => {
  const { code, message } = failureOf(error)
  const lines = wrap(printable(message), columns)
  return lines.map((line, index) => (index === lines.length - 1 ? `${line} ${paint('gray', `[${code}]`)}` : line))
}

/** Tells of an error where errors are told; what goes to standard output stays clean. */
export const reportFailure = (error: unknown, io: Io, shape: FailureShape): void => {
  if (shape.json) io.err(`${printableJson({ error: errorObject(error) })}\n`)
  else
    io.err(
      failureLines(error, shape.paint, shape.columns)
        .map((line) => `${line}\n`)
        .join(''),
    )
  if (shape.debug) io.err(`${printable(stackOf(error))}\n`)
}
