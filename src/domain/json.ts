export type JSONType = string | number | boolean | null | JSONType[] | { [key: string]: JSONType }

/** JSON with sorted keys: the same value always gives the same text, so that it can be hashed. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  )
