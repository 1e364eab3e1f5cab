import { setImmediate as turn } from 'node:timers/promises'

/** A line that stands on both sides (` `), came (`+`) or went (`-`). */
export interface DiffLine {
  sign: ' ' | '+' | '-'
  text: string
}

/** Work and memory grow with the square of this. */
const mostEdits = 400
const turnsEvery = 40

/**
 * The lines that lead from one text to another, by the shortest way (Myers); where that has more than 400 steps, by the
 * shortest ways from one far place to the next.
 */
export const diffLines = async (before: readonly string[], after: readonly string[]): Promise<DiffLine[]> => {
  const shorter = Math.min(before.length, after.length)
  let tail = 0
  while (tail < shorter && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  const old = before.slice(0, before.length - tail)
  const now = after.slice(0, after.length - tail)
  const parts: DiffLine[][] = []
  let x = 0
  let y = 0
  while (x < old.length || y < now.length) {
    const part = await stretch(old.slice(x), now.slice(y))
    parts.push(part)
    x += part.filter(({ sign }) => sign !== '+').length
    y += part.filter(({ sign }) => sign !== '-').length
  }
  return [...parts.flat(), ...signed(' ', before.slice(before.length - tail))]
}

const signed = (sign: DiffLine['sign'], lines: readonly string[]): DiffLine[] => lines.map((text) => ({ sign, text }))

/** The shortest way to the end, or as far as 400 steps lead. */
const stretch = async (old: readonly string[], now: readonly string[]): Promise<DiffLine[]> => {
  if (old.length === 0) return signed('+', now)
  if (now.length === 0) return signed('-', old)
  const most = Math.min(mostEdits, old.length + now.length)
  /** For each number of steps, how many lines of `old` the best way on each diagonal has used up. */
  const rows: Int32Array[] = []
  let best = new Int32Array(2 * most + 3)
  let farthest = { x: 0, y: 0, edits: 0 }
  for (let edits = 0; edits <= most; edits++) {
    if (edits % turnsEvery === turnsEvery - 1) await turn()
    const next = best.slice()
    for (let k = -edits; k <= edits; k += 2) {
      const at = most + 1 + k
      const above = best[at + 1] ?? 0
      const left = best[at - 1] ?? 0
      let x = k === -edits || (k !== edits && left < above) ? above : left + 1
      while (x < old.length && x - k < now.length && old[x] === now[x - k]) x++
      next[at] = x
      const y = x - k
      if (x > old.length || y > now.length) continue
      if (x + y > farthest.x + farthest.y) farthest = { x, y, edits }
      if (x === old.length && y === now.length) return wayBack(old, now, rows, { x, y, edits })
    }
    rows.push(next)
    best = next
  }
  return wayBack(old, now, rows, farthest)
}

const wayBack = (
  old: readonly string[],
  now: readonly string[],
  rows: readonly Int32Array[],
  end: { x: number; y: number; edits: number },
): DiffLine[] => {
  const lines: DiffLine[] = []
  const middle = ((rows[0]?.length ?? 1) - 1) / 2
  let { x, y } = end
  for (let edits = end.edits; edits >= 0; edits--) {
    const k = x - y
    const row = rows[edits - 1]
    const above = row?.[middle + k + 1] ?? 0
    const left = row?.[middle + k - 1] ?? 0
    const isAdded = k === -edits || (k !== edits && left < above)
    const start = edits === 0 ? 0 : isAdded ? above : left + 1
    while (x > start) {
      lines.push({ sign: ' ', text: old[--x] ?? '' })
      y--
    }
    if (edits === 0) break
    if (isAdded) lines.push({ sign: '+', text: now[--y] ?? '' })
    else lines.push({ sign: '-', text: old[--x] ?? '' })
  }
  return lines.reverse()
}
