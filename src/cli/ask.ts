import type { z } from 'zod'
import { Fault } from '../domain/errors.ts'
import type { Door } from '../rpc/door.ts'
import { camel } from '../rpc/snake.ts'
import { Card } from './views.ts'

const understood = <S extends z.ZodType>(method: string, answer: unknown, schema: S): z.output<S> => {
  const read = schema.safeParse(answer)
  if (read.success) return read.data
  const problem = read.error.issues[0]
  const where = problem?.path.join('.') ?? ''
  const sentence = `Cannot understand the answer to ${method}: ${where} is not as expected. Use the same version of undermind for the commands and for what runs.`
  throw new Fault('cli/answer-not-understood', sentence, { method, where })
}

/** Calls a method and reads its answer, with camelCase names. */
export const ask = async <S extends z.ZodType>(
  door: Door,
  method: string,
  params: Record<string, unknown>,
  schema: S,
): Promise<z.output<S>> => understood(method, camel(await door.call(method, params)), schema)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Arguments of a call are data: their names reach the tool as they are, and are shown and edited as they are. */
const cardOf = (method: string, raw: unknown): Card => {
  const card = camel(raw)
  return understood(method, isRecord(card) && isRecord(raw) ? { ...card, calls: raw.calls } : card, Card)
}

/** Everything that waits for an answer, newest first; with `all` what was answered too. */
export const askCards = async (door: Door, params: { state: 'open' | 'all'; limit?: number }): Promise<Card[]> => {
  const method = 'subconscious.escalations_list'
  const answer = await door.call(method, params)
  return Array.isArray(answer) ? answer.map((raw) => cardOf(method, raw)) : [cardOf(method, answer)]
}

export const askCard = async (door: Door, id: string): Promise<Card> => {
  const method = 'subconscious.escalations_get'
  return cardOf(method, await door.call(method, { id }))
}
