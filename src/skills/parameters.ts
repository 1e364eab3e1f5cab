import { z } from 'zod'
import type { JSONType } from '../domain/json.ts'

type Parameters = { [key: string]: JSONType }

/**
 * The JSON schema of a tool's arguments, made from the schema that also reads them. It is made when it is first asked
 * for, so that starting up pays nothing for tools that no model is shown.
 */
export const parametersOf = (schema: z.ZodType): (() => Parameters) => {
  let made: Parameters | undefined
  return () => {
    made ??= jsonSchema(schema)
    return made
  }
}

const jsonSchema = (schema: z.ZodType): Parameters => {
  const { $schema: _dialect, ...parameters } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' })
  return JSON.parse(JSON.stringify(parameters)) as Parameters
}
