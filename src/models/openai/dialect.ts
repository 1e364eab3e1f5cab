import type { ChatRequest } from '../../domain/chat.ts'
import type { Refusal } from './refusal.ts'

/**
 * What of the protocol a server takes. `schema` is how it is told what an answer has to look like: strictly, as a schema,
 * as JSON of any kind with the schema in words, or in words alone.
 */
export interface Dialect {
  schema: 'strict' | 'json_schema' | 'json_object' | 'words'
  /** Whether it can be asked to count tokens in a stream. */
  usage: boolean
  parallel: boolean
  limit: 'max_tokens' | 'max_completion_tokens'
}

export const fullDialect: Dialect = { schema: 'strict', usage: true, parallel: true, limit: 'max_tokens' }

const lower = { strict: 'json_object', json_schema: 'json_object', json_object: 'words' } as const

/** The next simpler way to ask for a schema; undefined when there is none. */
export const lowerSchema = ({ schema }: Dialect): Partial<Dialect> | undefined =>
  schema === 'words' ? undefined : { schema: lower[schema] }

/** What to do without, when a server refused a request because of a part that it names. */
export const withoutNamed = (dialect: Dialect, { schema, tools }: ChatRequest, refusal: Refusal) => {
  if (refusal.status !== 400 && refusal.status !== 422) return undefined
  const named = `${refusal.param} ${refusal.code} ${refusal.words}`
  if (dialect.usage && /stream_options|include_usage/i.test(named)) return { usage: false }
  if (dialect.parallel && hasTools(tools) && /parallel_tool_calls/i.test(named)) return { parallel: false }
  if (dialect.limit === 'max_tokens' && /max_completion_tokens/i.test(named))
    return { limit: 'max_completion_tokens' } as const
  if (schema === undefined) return undefined
  if (dialect.schema === 'strict' && /\bstrict\b|invalid schema for response_format/i.test(named))
    return { schema: 'json_schema' } as const
  return /response_format|json_schema|json_object|structured output|guided|grammar/i.test(named)
    ? lowerSchema(dialect)
    : undefined
}

/** What to try without, when a server refused a request and did not say what it minds. */
export const withoutGuessed = (dialect: Dialect, { schema, tools }: ChatRequest): Partial<Dialect> | undefined => {
  const simpler = schema === undefined ? undefined : lowerSchema(dialect)
  if (simpler !== undefined) return simpler
  if (dialect.usage) return { usage: false }
  return dialect.parallel && hasTools(tools) ? { parallel: false } : undefined
}

const hasTools = (tools: ChatRequest['tools']): boolean => (tools?.length ?? 0) > 0
