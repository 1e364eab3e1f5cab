import type { Change } from '../../domain/change.ts'
import type { ChatRequest } from '../../domain/chat.ts'
import type { JSONType } from '../../domain/json.ts'

/*
 * Only what strict structured output and grammars made from schemas have in common: every field of an object is required
 * and nothing else allowed, what may be absent is null, and there are no patterns, lengths or limits. Fields are written
 * in the order in which they stand here, so that a reason comes before its decision.
 */

type Schema = { [key: string]: JSONType }
export type AnswerSchema = NonNullable<ChatRequest['schema']>

/** Providers refuse longer lists of names. */
const mostNames = 250

const text: Schema = { type: 'string' }
const textOrNull: Schema = { type: ['string', 'null'] }

const oneOf = (names: readonly string[]): Schema => ({ type: 'string', enum: [...names] })
const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] })
const listOf = (items: Schema): Schema => ({ type: 'array', items })
const object = (properties: Schema): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

/** Sources are named in settings; their items are named by others, so that no name of an item may stand in a schema. */
function sourcesOf(changes: readonly Change[]): Schema {
  const names = [...new Set(changes.map(({ source }) => source))]
  const areKnown =
    names.length > 0 && names.length <= mostNames && names.every((name) => /^[\w.:@-]{1,100}$/.test(name))
  return listOf(object({ source: areKnown ? oneOf(names) : text, key: text, quote: textOrNull }))
}

/** The answer of a judgement on these tasks and no others. */
export const judgementSchema = (tasks: readonly string[], changes: readonly Change[]): AnswerSchema => ({
  name: 'judgement',
  schema: object({
    evaluations: listOf(
      object({
        task_id: tasks.length > 0 && tasks.length <= mostNames ? oneOf(tasks) : text,
        reason: text,
        decision: oneOf(['skip', 'act', 'escalate']),
        text: textOrNull,
        needs: orNull(oneOf(['text', 'tools'])),
        sources: sourcesOf(changes),
      }),
    ),
  }),
})

export const textSchema = (changes: readonly Change[]): AnswerSchema => ({
  name: 'text',
  schema: object({ text, sources: sourcesOf(changes) }),
})

/** Arguments of a call are JSON in a string: an object with fields that nobody knows beforehand cannot be asked for strictly. */
export const analysisSchema = (changes: readonly Change[]): AnswerSchema => ({
  name: 'analysis',
  schema: object({
    kind: oneOf(['result', 'proposal']),
    text,
    title: textOrNull,
    summary: textOrNull,
    priority: orNull(oneOf(['critical', 'important', 'normal'])),
    calls: listOf(object({ tool: text, arguments: text })),
    sources: sourcesOf(changes),
  }),
})

export const intentSchema: AnswerSchema = {
  name: 'intent',
  schema: object({ intent: oneOf(['read', 'write', 'unclear']) }),
}
