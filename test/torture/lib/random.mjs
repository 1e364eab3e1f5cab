/**
 * Numbers that look random and follow from a seed alone.
 * @param {...(string | number)} seeds
 */
export function randomFrom(...seeds) {
  let state = hash(seeds.join(' '))
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (/** @type {number} */ end) => Math.floor(next() * end)
  return {
    /** From 0 up to 1. */
    next,
    /** A whole number from 0 up to, not including, `end`. */
    below,
    chance: (/** @type {number} */ share) => next() < share,
    /** @template T @param {readonly T[]} items @returns {T} */
    of: (items) => items[below(items.length)],
    /** A whole number from 1 on that is `mean` on average, small ones most often. */
    count: (/** @type {number} */ mean) => 1 + Math.floor(-Math.log(1 - next()) * (mean - 1)),
    /** One of the keys of `weights`, each as often as it weighs. @param {Record<string, number>} weights */
    weighted(weights) {
      let left = next() * Object.values(weights).reduce((sum, weight) => sum + weight, 0)
      for (const [key, weight] of Object.entries(weights)) {
        left -= weight
        if (left < 0) return key
      }
      return Object.keys(weights)[0]
    },
  }
}

function hash(/** @type {string} */ text) {
  let value = 2_166_136_261
  for (const letter of text) value = Math.imul(value ^ letter.charCodeAt(0), 16_777_619)
  return value | 0
}
