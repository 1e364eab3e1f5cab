/** One part in so many of a cycle's work is kept in words. */
const ratio = 20
const leastWorthwhile = 200

/** Tokens that the summary of so many tokens of work may have. */
export function compressBudget(tokens: number): number {
  if (tokens <= 0) return 0
  const budget = Math.max(1, Math.floor(tokens / ratio))
  const raised = budget < leastWorthwhile && tokens > leastWorthwhile ? leastWorthwhile : budget
  return Math.min(raised, tokens)
}
