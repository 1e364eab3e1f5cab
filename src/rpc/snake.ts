/** Below these names is what users, tools and sources chose: names there are data and stay as they are. */
const asGiven = ['arguments', 'inputs', 'data'] as const
type AsGiven = (typeof asGiven)[number]
const isAsGiven = new Set<string>(asGiven)

type SnakeText<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeText<Rest>}`
  : ''

/** What `snake` makes of a type. */
export type Snake<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer One)[]
    ? Snake<One>[]
    : T extends object
      ? { [Key in keyof T as Key extends string ? SnakeText<Key> : Key]: Key extends AsGiven ? T[Key] : Snake<T[Key]> }
      : T

/** A value with its camelCase names in snake_case, at every depth, except below `arguments`, `inputs` and `data`. */
export const snake = <T>(value: T): Snake<T> =>
  renamed(value, (name) => {
    return /^[a-z][a-zA-Z0-9]*$/.test(name) ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name
  }) as Snake<T>

/** The way back. */
export const camel = (value: unknown): unknown =>
  renamed(value, (name) => {
    return /^[a-z][a-z0-9_]*$/.test(name)
      ? name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
      : name
  })

function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, rename))
  if (!isPlain(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [rename(name), isAsGiven.has(name) ? inner : renamed(inner, rename)]),
  )
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
