/** A count of a count, with the range in which the true share lies 19 times of 20. Shares are 0 to 1. */
export interface Ratio {
  hits: number
  of: number
  /** Null when there was nothing to count. */
  share: number | null
  low: number
  high: number
}

/** Of the normal distribution, for 95 %. */
const z = 1.959964

/** The share of `hits` in `of` with its Wilson interval, which stays honest for small counts and near 0 and 1. */
export function ratio(hits: number, of: number): Ratio {
  if (of === 0) return { hits, of, share: null, low: 0, high: 1 }
  const share = hits / of
  const spread = z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of))
  const middle = share + (z * z) / (2 * of)
  const scale = 1 + (z * z) / of
  return { hits, of, share, low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) }
}
