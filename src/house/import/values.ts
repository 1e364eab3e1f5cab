import { createHash } from 'node:crypto'
import { z } from 'zod'
import { day, second } from '../../domain/clock.ts'

/** From this number on a time cannot be meant in seconds. */
const surelyMilliseconds = 100_000_000_000
const lastMoment = 100_000_000 * day

/** A time as it may stand there: seconds since 1970 with or without a fraction, milliseconds, or ISO text. */
export const Moment = z.union([z.number(), z.string()], 'expected a time').transform((given, context) => {
  const at = typeof given === 'number' ? fromNumber(given) : fromText(given)
  if (at >= 0 && at <= lastMoment) return at
  context.addIssue({ code: 'custom', message: 'expected a time' })
  return z.NEVER
})

const fromNumber = (value: number): number => Math.round(value < surelyMilliseconds ? value * second : value)

const fromText = (text: string): number =>
  /^\d{1,15}(\.\d+)?$/.test(text)
    ? fromNumber(Number(text))
    : /^\d{4}-\d\d-\d\d/.test(text)
      ? Date.parse(text)
      : Number.NaN

export const Flag = z
  .union([z.number(), z.boolean(), z.enum(['0', '1', 'true', 'false'])], 'expected yes or no')
  .transform((given) => (typeof given === 'string' ? given === '1' || given === 'true' : Boolean(given)))

const longestId = 500

/** An id of there; some are numbers. */
export const Key = z
  .union([z.string(), z.int()], 'expected an id')
  .transform(String)
  .refine((text) => text !== '' && text.length <= longestId, `expected an id of 1 to ${longestId} characters`)

export const Text = z.string('expected text')
export const optional = <T extends z.ZodType>(type: T) => type.nullish().transform((value) => value ?? null)

/** Without characters that steer a screen, at most so many characters long; `changed` says what was done to it. */
export function cleaned(given: string, most: number): { text: string; changed: string | null } {
  const plain = given.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '')
  const isCut = plain.length > most
  const text = isCut ? `${plain.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…` : plain
  if (isCut) return { text, changed: `Longer than ${most.toLocaleString('en')} characters: cut.` }
  return { text, changed: /[^\P{Cc}\r\n\t]/u.test(given) ? 'Held control characters: they were left out.' : null }
}

const isUnique = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i

/**
 * Names the same row of there by the same id here, however often it is imported. An id that others may have too is one
 * of its folder.
 */
export const idsFrom =
  (folder: string) =>
  (prefix: string, kind: string, key: string): string =>
    `${prefix}_oh${hash(isUnique.test(key) ? [kind, key.toLowerCase()] : [kind, key, folder])}`

export const hash = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 20)
