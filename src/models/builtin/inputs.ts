import type { Change } from '../../domain/change.ts'

/**
 * Whether a change belongs to a task's inputs: a source's id, or a glob over the item's key, in which `*` and `?` stay
 * within one folder and `**` crosses folders. No inputs means all.
 */
export const inInputs = (inputs: readonly string[], change: Pick<Change, 'source' | 'key'>): boolean =>
  inputs.length === 0 || inputs.some((input) => input === change.source || matchesGlob(input, change.key))

export function matchesGlob(glob: string, key: string): boolean {
  return matchSequence(glob.split('/'), key.split('/'), '**', matchSegment)
}

const matchSegment = (pattern: string, segment: string): boolean =>
  matchSequence([...pattern], [...segment], '*', (one, other) => one === '?' || one === other)

/** Greedy with a single point to go back to, so that the work is at most pattern × text, whatever the pattern. */
function matchSequence(
  pattern: string[],
  text: string[],
  star: string,
  same: (pattern: string, text: string) => boolean,
): boolean {
  let p = 0
  let t = 0
  let lastStar = -1
  let resume = 0
  while (t < text.length) {
    const piece = pattern[p]
    if (piece === star) {
      lastStar = p
      resume = t
      p += 1
    } else if (piece !== undefined && same(piece, text[t]!)) {
      p += 1
      t += 1
    } else if (lastStar >= 0) {
      p = lastStar + 1
      resume += 1
      t = resume
    } else return false
  }
  while (pattern[p] === star) p += 1
  return p === pattern.length
}
