/** No repeated piece that is longer than this is noticed. */
const longestPiece = 200
const times = 20
/** Rules, indentation and rows of zeros repeat short pieces for good reason; nothing sensible does so for this long. */
const atLeast = 200

/**
 * Notices when text that comes in pieces ends in 200 characters of white space, or in one piece of at most 200 characters
 * over and over: 20 times, and 200 characters in all. Time and memory for a character are fixed.
 */
export function repetition(): (text: string) => boolean {
  const last = new Uint16Array(longestPiece)
  /** For every length of piece, how many characters in a row were the same as the one that far before. */
  const same = new Uint32Array(longestPiece + 1)
  let seen = 0
  let blank = 0

  return (text) => {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      blank = isBlank(code) ? blank + 1 : 0
      if (blank >= atLeast) return true
      const known = Math.min(seen, longestPiece)
      for (let length = 1; length <= known; length++) {
        if (last[(seen - length) % longestPiece] !== code) same[length] = 0
        else if (++same[length]! + length >= Math.max(length * times, atLeast)) return true
      }
      last[seen % longestPiece] = code
      seen++
    }
    return false
  }
}

const isBlank = (code: number): boolean =>
  code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0 || code === 0x3000
