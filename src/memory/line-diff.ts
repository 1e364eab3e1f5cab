import { diffArrays } from 'diff'

/** Lines that came and lines that went, each in the order in which they stand. */
export interface LineDiff {
  added: string[]
  removed: string[]
  /** Lines that stand on both sides in another order, too many to say which of them moved. */
  reordered: number
}

// Work grows with the square of this. It counts moved lines only: lines of one side alone are found beforehand.
const mostMoves = 200

/**
 * The smallest difference between two lists of lines. Where more than 200 lines have moved, lines of both sides count as
 * having stayed, wherever they stand.
 */
export function diffLists(before: readonly string[], after: readonly string[]): LineDiff {
  const beforeCounts = counted(before)
  const afterCounts = counted(after)
  // A line that the other side does not have is in no common subsequence: without such lines the rest is mostly equal.
  const beforeShared = before.filter((line) => afterCounts.has(line))
  const afterShared = after.filter((line) => beforeCounts.has(line))
  const shared = diffShared(beforeShared, afterShared)
  return {
    added: inOrder(after, (line) => !beforeCounts.has(line), shared.added),
    removed: inOrder(before, (line) => !afterCounts.has(line), shared.removed),
    reordered: shared.reordered,
  }
}

interface SharedDiff {
  /** For each shared line, in order, whether it came or went. */
  added: boolean[]
  removed: boolean[]
  reordered: number
}

function diffShared(before: string[], after: string[]): SharedDiff {
  const parts = diffArrays(before, after, { maxEditLength: mostMoves })
  if (parts === undefined)
    return {
      added: surplus(after, counted(before)),
      removed: surplus(before, counted(after)),
      reordered: Math.min(before.length, after.length),
    }
  const added: boolean[] = []
  const removed: boolean[] = []
  for (const part of parts)
    for (let line = 0; line < part.count; line += 1) {
      if (!part.removed) added.push(part.added)
      if (!part.added) removed.push(part.removed)
    }
  return { added, removed, reordered: 0 }
}

/** Which lines are more than the other side has of them. */
function surplus(lines: string[], elsewhere: Map<string, number>): boolean[] {
  return lines.map((line) => {
    const left = elsewhere.get(line) ?? 0
    elsewhere.set(line, left - 1)
    return left <= 0
  })
}

function inOrder(lines: readonly string[], alone: (line: string) => boolean, shared: boolean[]): string[] {
  let at = 0
  return lines.filter((line) => alone(line) || shared[at++])
}

function counted(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  return counts
}
