import type { JSONType } from '../domain/json.ts'

// JSON leaves DEL as it is, and TOML does not allow it.
const printText = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007f')

/** A setting's value as TOML, on one line. */
export const printValue = (value: JSONType): string => {
  if (Array.isArray(value)) return `[${value.map(printValue).join(', ')}]`
  return typeof value === 'string' ? printText(value) : String(value)
}
