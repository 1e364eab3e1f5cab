import { second } from '../../domain/clock.ts'

/** What Ollama says at the end of an answer; counts are absent, or small, where it had read the words before. */
export interface Counts {
  numCtx: number
  promptEvalCount: number | undefined
  evalCount: number | undefined
  loadMs: number | undefined
}

/** The prompts whose words Ollama may still have; it keeps as many as it answers at the same time. */
const mostKept = 4

/** A model that was not in memory takes longer to load than this, and one that was has nothing to load. */
const loaded = second

/**
 * Tells whether Ollama left out a part of the prompt, which it does without a word. Either the context is full, or far
 * fewer tokens were read than the prompt has. For the second, words that Ollama may have read for an earlier prompt do
 * not count: older servers count only what they had not read yet.
 */
export function truncationCheck() {
  const earlier: string[] = []
  let answered = false

  return {
    wasTruncated(prompt: string, promptTokens: number, atLimit: boolean, counts: Counts): boolean {
      const { numCtx, promptEvalCount, evalCount = 0, loadMs } = counts
      const fresh = loadMs !== undefined && loadMs >= loaded
      const mayKnowAnything = !fresh && !answered && loadMs !== undefined
      const known = fresh ? 0 : Math.max(0, ...earlier.map((other) => sharedStart(other, prompt)))
      answered = true
      earlier.unshift(prompt)
      earlier.length = Math.min(earlier.length, mostKept)
      if (promptEvalCount === undefined) return false
      if (promptEvalCount + evalCount >= numCtx) return true
      if (!atLimit || mayKnowAnything || prompt.length === 0) return false
      return promptEvalCount < (promptTokens * (1 - known / prompt.length)) / 3
    },
  }
}

const sharedStart = (a: string, b: string): number => {
  const end = Math.min(a.length, b.length)
  let at = 0
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at++
  return at
}
