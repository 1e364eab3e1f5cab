import { z } from 'zod'
import type { ChatCall } from '../../domain/chat.ts'
import type { AnswerGuard } from '../answer-guard.ts'
import { badAnswer, plain } from './faults.ts'

const count = z.number().nonnegative().optional().catch(undefined)

const Piece = z.looseObject({
  message: z
    .looseObject({
      content: z.string().nullish(),
      thinking: z.string().nullish().catch(undefined),
      tool_calls: z
        .array(
          z.looseObject({ function: z.looseObject({ name: z.string().min(1), arguments: z.unknown().optional() }) }),
        )
        .nullish(),
    })
    .optional(),
  done: z.boolean().default(false),
  done_reason: z.string().optional().catch(undefined),
  prompt_eval_count: count,
  eval_count: count,
  load_duration: count,
})

/** A whole answer; `end` is its last piece, with the counts. */
export interface Answer {
  text: string
  calls: Omit<ChatCall, 'id'>[]
  end: z.infer<typeof Piece>
}

/** Puts the pieces of an answer together. An answer whose last piece is missing is none. */
export const readAnswer = async (pieces: AsyncIterable<unknown>, guard: AnswerGuard): Promise<Answer> => {
  const calls: Omit<ChatCall, 'id'>[] = []
  let text = ''
  for await (const value of pieces) {
    const piece = Piece.safeParse(value)
    if (!piece.success) throw badAnswer('Ollama sent a piece of an answer that is not as agreed')
    const { message, done } = piece.data
    for (const { function: called } of message?.tool_calls ?? [])
      calls.push({ tool: called.name, arguments: argumentsText(called.arguments) })
    text += message?.content ?? ''
    guard.heard(`${message?.thinking ?? ''}${message?.content ?? ''}`)
    guard.signal.throwIfAborted()
    if (done) return { text, calls, end: piece.data }
  }
  throw badAnswer('The answer ended in the middle')
}

/** Arguments are an object; some models make JSON text of it first. */
const argumentsText = (value: unknown): string =>
  typeof value === 'string' && value.trim() !== '' ? value : JSON.stringify(value || {})

/** Why reading failed, where it was neither the guard nor anything that has a name yet. */
export const brokenOff = (error: unknown) =>
  badAnswer(`Ollama broke its answer off: ${plain(error instanceof Error ? error.message : String(error))}`)
