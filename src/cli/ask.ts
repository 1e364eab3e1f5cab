import { z } from 'zod'
import { Fault } from '../domain/errors.ts'
import type { Door } from '../rpc/door.ts'
import { camel } from '../rpc/snake.ts'
import { Card } from './views.ts'

/** Calls a method and reads its answer, with camelCase names. */
export const ask = async <S extends z.ZodType>(
  door: Door,
  method: string,
  params: Record<string, unknown>,
  schema: S,
): Promise<z.output<S>> => {
  const read = schema.safeParse(camel(await door.call(method, params)))
  if (read.success) return read.data
  const where = read.error.issues[0]?.path.join('.') || 'the whole'
  const sentence = `Cannot understand the answer to ${method}: ${where} is not as expected. Use the same version of undermind for the commands and for what runs.`
  throw new Fault('cli/answer-not-understood', sentence, { method, where })
}

/** Cards, newest first: those that wait for an answer, or with `all` what was answered too. */
export const askCards = (door: Door, state: 'open' | 'all', limit: number): Promise<Card[]> =>
  ask(door, 'subconscious.escalations_list', { state, limit }, z.array(Card))

export const askCard = (door: Door, id: string): Promise<Card> =>
  ask(door, 'subconscious.escalations_get', { id }, Card)
