import { z } from 'zod'
import type { Method } from './method.ts'

type JsonSchema = Record<string, unknown>

/** Shapes that several methods use, by their id. */
type Shared = Record<string, JsonSchema>

/** The OpenRPC 1.3 document of the methods, made from the schemas that hold for their calls. */
export function openRpc(methods: readonly Method[], version: string): Record<string, unknown> {
  const schemas: Shared = {}
  return {
    openrpc: '1.3.2',
    info: {
      title: 'undermind',
      version,
      description: 'Names are snake_case, times are milliseconds UTC. Every error has a stable data.code.',
    },
    methods: methods.map((method) => describe(method, schemas)),
    components: { schemas },
  }
}

function describe({ name, summary, deprecated, params, result }: Method, shared: Shared): JsonSchema {
  const schema = schemaOf(params, shared)
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>
  const required = new Set((schema.required ?? []) as string[])
  return {
    name,
    summary,
    ...(deprecated && { deprecated }),
    paramStructure: 'by-name',
    params: Object.entries(properties).map(([param, one]) => ({
      name: param,
      required: required.has(param),
      schema: one,
    })),
    result: { name: 'result', schema: schemaOf(result, shared) },
  }
}

/** The schema with its named parts moved to where the whole document shares them. */
function schemaOf(given: z.ZodType, shared: Shared): JsonSchema {
  const made = z.toJSONSchema(given, { target: 'draft-7', io: 'input' })
  const {
    $schema,
    definitions = {},
    ...schema
  } = JSON.parse(JSON.stringify(made).replaceAll('"#/definitions/', '"#/components/schemas/')) as JsonSchema & {
    definitions?: Shared
  }
  Object.assign(shared, definitions)
  return schema
}
