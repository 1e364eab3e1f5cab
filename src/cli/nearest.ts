/** How many letters have to be put in, taken out, replaced or swapped with their neighbour to make one word from the other. */
const distance = (one: string, other: string): number => {
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : replaced
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[other.length] ?? 0
}

const longest = 40

/** The known word that was most likely meant, or undefined when none is near. */
export const nearest = (given: string, known: readonly string[]): string | undefined => {
  if (given.length > longest) return undefined
  const most = Math.max(1, Math.floor(given.length * 0.4))
  const [best] = known
    .map((word) => ({ word, cost: distance(given.toLowerCase(), word.toLowerCase()) }))
    .filter(({ cost }) => cost <= most)
    .sort((a, b) => a.cost - b.cost)
  return best?.word
}

/** A sentence that names it, to follow what was wrong; empty when none is near. */
export const didYouMean = (given: string, known: readonly string[]): string => {
  const word = nearest(given, known)
  return word === undefined ? '' : ` Did you mean ${word}?`
}
