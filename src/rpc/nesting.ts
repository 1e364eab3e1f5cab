const quote = 0x22
const backslash = 0x5c

/**
 * Whether JSON text nests deeper than `most`, told without parsing it: what handles a value later may recurse, and one
 * short line can hold a million brackets.
 */
export function isDeeperThan(text: string, most: number): boolean {
  let depth = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (inString) {
      if (char === backslash) i++
      else if (char === quote) inString = false
    } else if (char === quote) inString = true
    else if (char === 0x5b || char === 0x7b) {
      if (++depth > most) return true
    } else if (char === 0x5d || char === 0x7d) depth--
  }
  return false
}
