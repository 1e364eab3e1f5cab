import type { JSONType } from '../../domain/json.ts'

/** Keywords that strict structured output knows everywhere it is known at all. */
const known = new Set([
  '$defs',
  '$ref',
  'additionalProperties',
  'anyOf',
  'const',
  'definitions',
  'description',
  'enum',
  'items',
  'properties',
  'required',
  'title',
  'type',
])

const deepest = 10
const mostEnumValues = 1000

/** Whether a JSON schema is one that strict structured output takes: closed objects with every field required. */
export const fitsStrict = (schema: { [key: string]: JSONType }): boolean => {
  let enumValues = 0

  const fits = (part: JSONType | undefined, depth: number): boolean => {
    if (!isObject(part) || depth > deepest) return false
    if (Object.keys(part).some((key) => !known.has(key))) return false
    const { properties, required, items, anyOf, $defs, definitions } = part
    if (Array.isArray(part.enum)) enumValues += part.enum.length
    if (isTyped(part, 'object') || properties !== undefined) {
      const names = Array.isArray(required) ? required : []
      if (!isObject(properties) || part.additionalProperties !== false) return false
      if (!Object.entries(properties).every(([name, inner]) => names.includes(name) && fits(inner, depth + 1)))
        return false
    }
    if (isTyped(part, 'array') && !fits(items, depth + 1)) return false
    if (anyOf !== undefined && !(Array.isArray(anyOf) && anyOf.every((inner) => fits(inner, depth)))) return false
    return [$defs, definitions].every(
      (group) => group === undefined || (isObject(group) && Object.values(group).every((inner) => fits(inner, depth))),
    )
  }

  return schema.type === 'object' && fits(schema, 0) && enumValues <= mostEnumValues
}

const isObject = (value: JSONType | undefined): value is { [key: string]: JSONType } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isTyped = ({ type }: { [key: string]: JSONType }, name: string): boolean =>
  type === name || (Array.isArray(type) && type.includes(name))
