/** How many letters have to be put in, taken out or replaced to make one word from the other. */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}

const longest = 80

const plain = (key: string): string =>
  key
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll('-', '_')

const lastOf = (key: string): string => key.slice(key.lastIndexOf('.') + 1)
const tableOf = (key: string): string => key.slice(0, Math.max(0, key.lastIndexOf('.')))

/** The known key that was most likely meant, or undefined when none is near. Knows camelCase, dashes and cut-off names. */
export const nearest = (unknown: string, known: readonly string[]): string | undefined => {
  if (unknown.length > longest) return undefined
  const key = plain(unknown)
  const last = lastOf(key)
  const cost = (candidate: string): number => {
    const name = lastOf(candidate)
    const elsewhere = tableOf(candidate) === tableOf(key) ? 0 : 1
    const part = last.length > 2 && name.includes(last) ? 1 : distance(last, name)
    return Math.min(distance(key, candidate), part + elsewhere)
  }
  let best: { candidate: string; cost: number } | undefined
  for (const candidate of known) {
    const at = cost(candidate)
    if (best === undefined || at < best.cost) best = { candidate, cost: at }
  }
  return best !== undefined && best.cost <= Math.max(1, Math.floor(last.length / 3)) ? best.candidate : undefined
}
