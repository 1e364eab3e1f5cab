/** Of the words of two titles, the share that they have in common: 0 to 1. */
function likeness(a: string, b: string): number {
  const words = (title: string) => new Set(title.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}]+/gu) ?? [])
  const [left, right] = [words(a), words(b)]
  if (left.size + right.size === 0) return 0
  let shared = 0
  for (const word of left) if (right.has(word)) shared++
  return (2 * shared) / (left.size + right.size)
}

const alike = 0.5

/**
 * Guesses which lines were edited rather than replaced: pairs titles that are gone with new ones that share at least
 * half their words, the most alike first. An edited task keeps its history.
 */
export function pairRenamed<T extends { title: string }>(gone: readonly T[], fresh: readonly string[]): [T, string][] {
  const pairs = gone.flatMap((task) => fresh.map((title) => ({ task, title, like: likeness(task.title, title) })))
  const taken = new Set<T | string>()
  const renamed: [T, string][] = []
  for (const { task, title, like } of pairs.sort((a, b) => b.like - a.like)) {
    if (like < alike) break
    if (taken.has(task) || taken.has(title)) continue
    taken.add(task).add(title)
    renamed.push([task, title])
  }
  return renamed
}
