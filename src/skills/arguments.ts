import type { z } from 'zod'
import { Fault } from '../domain/errors.ts'
import type { JSONType } from '../domain/json.ts'
import { visible } from './visible.ts'

/** As read from JSON, where what is absent is not there at all. */
type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** A tool's arguments by its schema; Fault `tool/bad-arguments` names the first thing that is wrong with them. */
export const argumentsOf = <T extends z.ZodType>(
  tool: string,
  schema: T,
  args: Record<string, JSONType>,
): Given<z.infer<T>> => {
  const parsed = schema.safeParse(args)
  if (parsed.success) return parsed.data as Given<z.infer<T>>
  const [issue] = parsed.error.issues
  const where = issue?.path.length ? `${issue.path.join('.')}: ` : ''
  const what = visible(`${where}${issue?.message}`.slice(0, 300))
  throw Fault.use('tool/bad-arguments', `Cannot use ${tool}: ${what}. Call it again with arguments that fit.`, {
    tool,
    what,
  })
}

/** Refuses text that is longer than `limit` bytes of UTF-8, or that would not come back as it was given. */
export const refuseText = (tool: string, argument: string, text: string, limit: number): void => {
  const bytes = Buffer.byteLength(text)
  if (bytes > limit) {
    const sentence = `Cannot use ${tool}: ${argument} has ${bytes} bytes, at most ${limit} are allowed. Give less at a time.`
    throw Fault.use('tool/too-large', sentence, { tool, bytes, limit })
  }
  if (/[\0\p{Cs}]/u.test(text)) {
    const sentence = `Cannot use ${tool}: ${argument} holds a NUL or half a character. Give plain text.`
    throw Fault.use('tool/bad-arguments', sentence, { tool })
  }
}
