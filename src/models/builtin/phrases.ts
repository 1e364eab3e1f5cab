import type { Wordlist } from './lexicon.ts'
import type { Bits } from './signals.ts'
import { hasCjk, words } from './words.ts'

interface Phrase {
  rest: string[]
  bits: Bits
}

/** One phrase found: `from` and `to` count words; for a phrase of a script without spaces, which has no words, both are -1. */
export interface Found {
  bits: Bits
  from: number
  to: number
  negated: boolean
}

const entries = (list: string): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

const negations = new Set(
  words(
    'not no non never without zero 0 isn aren wasn nothing longer nicht kein keine keinen keiner ohne nie pas sans sin ningun ninguna',
  ),
)
const cjkNegations = new Set('不没沒无無未非')

/** Finds the phrases of word lists in a text that has already been cut into words; the cost is that of the text. */
export class PhraseBook {
  readonly #byFirstWord = new Map<string, Phrase[]>()
  readonly #cjk = new Map<string, Bits>()
  readonly #cjkPattern: RegExp

  constructor(lists: Iterable<readonly [Wordlist, Bits]>) {
    for (const [list, bits] of lists) {
      for (const entry of entries(list.words)) this.#add(words(entry), bits)
      for (const entry of entries(list.cjk)) this.#cjk.set(entry, (this.#cjk.get(entry) ?? 0) | bits)
    }
    const longestFirst = [...this.#cjk.keys()].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
    this.#cjkPattern = new RegExp(longestFirst.join('|') || '(?!)', 'g')
  }

  #add([first, ...rest]: string[], bits: Bits): void {
    if (first === undefined) return
    const phrases = this.#byFirstWord.get(first) ?? []
    phrases.push({ rest, bits })
    this.#byFirstWord.set(first, phrases)
  }

  *find(text: string, tokens: readonly string[]): Generator<Found> {
    for (let from = 0; from < tokens.length; from += 1) {
      const phrases = this.#byFirstWord.get(tokens[from]!)
      if (!phrases) continue
      for (const { rest, bits } of phrases) {
        if (!rest.every((word, offset) => tokens[from + 1 + offset] === word)) continue
        yield { bits, from, to: from + 1 + rest.length, negated: isNegated(tokens, from) }
      }
    }
    if (!hasCjk(text)) return
    for (const match of text.matchAll(this.#cjkPattern)) {
      yield {
        bits: this.#cjk.get(match[0]) ?? 0,
        from: -1,
        to: -1,
        negated: cjkNegations.has(text[match.index - 1] ?? ''),
      }
    }
  }

  /** The text without the phrases that are written without spaces. */
  withoutCjk(text: string): string {
    return text.replace(this.#cjkPattern, ' ')
  }
}

const isNegated = (tokens: readonly string[], at: number): boolean =>
  (at > 0 && negations.has(tokens[at - 1]!)) || (at > 1 && negations.has(tokens[at - 2]!))
