/** A table as a TOML parser makes it: without a prototype, so that no key is special. */
export type Table = Record<string, unknown>

export const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

export const emptyTable = (): Table => Object.create(null)

/** What stands at the path, or undefined. */
export const at = (table: Table, path: readonly PropertyKey[]): unknown => {
  let value: unknown = table
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = Reflect.get(value, name)
  }
  return value
}

/** Puts a value at the path, making the tables on the way; false when something that is no table is in the way. */
export const put = (table: Table, path: readonly string[], value: unknown): boolean => {
  const last = path.at(-1)
  if (last === undefined) return false
  let target = table
  for (const name of path.slice(0, -1)) {
    if (!Object.hasOwn(target, name)) target[name] = emptyTable()
    const next = target[name]
    if (!isTable(next)) return false
    target = next
  }
  target[last] = value
  return true
}

export const startsWith = (path: readonly PropertyKey[], start: readonly PropertyKey[]): boolean =>
  start.every((name, index) => path[index] === name)
