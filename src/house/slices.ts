/** Lets everything else have its turn: no synchronous stretch grows with the work. */
export const breathe = (): Promise<void> => new Promise((next) => setImmediate(next))

/** Cuts a list into pieces of at most `size`. */
export function* slices<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}
