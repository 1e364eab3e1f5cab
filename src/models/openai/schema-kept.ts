import type { ChatReply, ChatRequest } from '../../domain/chat.ts'
import { valuesIn } from '../answer-values.ts'

/**
 * Whether an answer shows that its server did not hold the model to the schema: there is no JSON in it, or none with a
 * field that the schema requires. One that was cut off, or uses tools instead, shows nothing.
 */
export const ignoresSchema = ({ text, calls, cutOff }: ChatReply, { schema }: ChatRequest): boolean => {
  if (schema === undefined || cutOff || calls.length > 0) return false
  const { type, required } = schema.schema
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
  const { reads } = valuesIn(
    text,
    ({ value }) =>
      Array.isArray(value) || type === 'array' || names.length === 0 || names.some((name) => name in value),
  )
  return reads.length === 0
}
