import type { Steps } from '../domain/steps.ts'

/**
 * Weight is counted in grains, 36 to a token, so that sums stay whole numbers. A line end parts everything: the weight
 * of a text is that of its lines and of the ends between them.
 */
export const grainsPerToken = 36

/**
 * How many tokens a text is to a language model, estimated from above: whatever the model, its own count is seldom
 * more. A text never counts less than its beginning. The figures were held against the vocabularies of GPT-4, GPT-4o
 * and Llama 3: a word is a token per 3.6 letters and at least one (capitals two to a token, the far end of an endless
 * word still less), a digit is a token, as for models that take them singly, punctuation one and less after other
 * punctuation, a Chinese, Japanese or Korean character 1.2, an emoji 3, other scripts about as many as their bytes.
 */
export const countTokens = (text: string): number => Math.ceil(weigh(text) / grainsPerToken)

/** Characters that are weighed in a step, and those of the line they end in. */
const stretch = 10_000

/** The same in steps, from line end to line end. */
export function* countingTokens(text: string): Steps<number> {
  let total = 0
  for (let from = 0; from < text.length; ) {
    yield
    const found = text.indexOf('\n', from + stretch)
    const end = found === -1 ? text.length : found
    total += weigh(text.slice(from, end))
    from = end
  }
  return Math.ceil(total / grainsPerToken)
}

/** The same in grains, for sums over many pieces without rounding each. */
export function weigh(text: string): number {
  let total = 0
  let run = 0
  let previous = 0
  for (let at = 0; at < text.length; ) {
    let code = text.charCodeAt(at)
    if (kinds[code] === letter) {
      let word = 0
      do {
        run += 1
        word += run > ordinaryRun && code < 128 ? endlessLetter : first[code]!
        at += 1
        code = at < text.length ? text.charCodeAt(at) : 0
      } while (kinds[code] === letter)
      total += Math.max(word, grainsPerToken)
      previous = 0
    } else {
      const kind = kinds[code]
      run = kind === digit ? run + 1 : 0
      if (code === previous) total += again[code]!
      else total += kind === punctuation && kinds[previous] === punctuation ? afterPunctuation : first[code]!
      previous = code
      at += 1
    }
  }
  return total
}

const letter = 1
const digit = 2
const punctuation = 3

/** Letters and digits in a row that a dictionary may still know; what goes on longer is a key or a hash. */
const ordinaryRun = 12
const endlessLetter = 26
const afterPunctuation = 18

const kinds = new Uint8Array(0x10000)
/** Weight of a UTF-16 unit, and its weight right after itself. */
const first = new Uint8Array(0x10000)
const again = new Uint8Array(0x10000)

const fill = (from: number, to: number, weight: number, kind = 0, repeated = weight): void => {
  kinds.fill(kind, from, to + 1)
  first.fill(weight, from, to + 1)
  again.fill(repeated, from, to + 1)
}

fill(0x0000, 0xffff, 108)
fill(0x0000, 0x001f, 36)
fill(0x0009, 0x0009, 36, 0, 9)
fill(0x0020, 0x0020, 0, 0, 9)
fill(0x0021, 0x007e, 36, punctuation, 9)
fill(0x0030, 0x0039, 36, digit)
fill(0x0041, 0x005a, 18, letter)
fill(0x0061, 0x007a, 10, letter)
fill(0x007f, 0x00bf, 54)
fill(0x00c0, 0x00ff, 36, letter) // Latin with accents
fill(0x0100, 0x024f, 54, letter)
fill(0x0250, 0x036f, 72)
fill(0x0370, 0x03ff, 36, letter) // Greek
fill(0x0400, 0x052f, 20, letter) // Cyrillic
fill(0x0530, 0x058f, 72) // Armenian
fill(0x0590, 0x05ff, 44) // Hebrew
fill(0x0600, 0x08ff, 36) // Arabic and its neighbours
fill(0x0900, 0x0dff, 60) // scripts of India
fill(0x0e00, 0x0e7f, 40) // Thai
fill(0x0e80, 0x10ff, 80)
fill(0x1e00, 0x1eff, 54, letter) // Vietnamese
fill(0x2000, 0x2e7f, 72, 0, 36) // dashes, arrows, mathematics, boxes, dingbats
fill(0x2010, 0x2027, 36, 0, 36)
fill(0x2e80, 0x9fff, 43) // Chinese and Japanese
fill(0xac00, 0xd7af, 43) // Korean
fill(0xd800, 0xdbff, 90)
fill(0xd83c, 0xd83e, 54) // first halves of emoji
fill(0xdc00, 0xdfff, 54)
fill(0xff00, 0xffef, 43) // wide forms
