import type { Steps } from '../domain/steps.ts'

/** Milliseconds of work after which everything else has its turn. */
const turn = 2

/** Lets everything else have its turn: no synchronous stretch grows with the work. */
export const breathe = (): Promise<void> => new Promise((next) => setImmediate(next))

/** Cuts a list into pieces of at most `size`. */
export function* slices<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}

/** Runs a long computation a few milliseconds at a time. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (let until = performance.now() + turn; ; ) {
    const { done, value } = steps.next()
    if (done) return value
    if (performance.now() < until) continue
    await breathe()
    until = performance.now() + turn
  }
}
