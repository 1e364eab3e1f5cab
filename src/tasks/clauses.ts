import { isWriteInfinitive, kindOf } from './verbs.ts'

/** One imperative clause of a title: its words as written, and the same in lower case without marks. */
export interface Clause {
  text: string
  words: readonly string[]
  bare: readonly string[]
}

/**
 * The clauses of an English or German title that tell somebody to do something, without what leads up to them
 * ("Every morning, …", "When the build fails, …", "Please …"). What is quoted says nothing: it is left out. A clause
 * joined by "and" or a comma counts only when it is plain that it is one of its own.
 */
export const clausesOf = (title: string): Clause[] => sentencesOf(withoutQuotes(title)).flatMap(clausesOfSentence)

const withoutQuotes = (title: string): string => {
  const whole = /^["“„«'](.*)["”“»']$/.exec(title.trim())?.[1]
  if (whole !== undefined && !/["“”„«»]/.test(whole)) return whole
  return title.replace(/"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»/g, '“”')
}

const sentencesOf = (text: string): string[] =>
  text.split(/(?<=[!?])\s+|(?<=\p{L}{3,}|[”)`])\.\s+|;\s*|\n|,?\s+(?:and\s+)?then\s+/u)

const polite =
  /^(?:(?:can|could|would|will) you|(?:i|we)(?: would|'d)? (?:want|need|like) you to|make sure (?:to|that you|you)|(?:remember|be sure|try|don'?t forget|do not forget) to|you (?:should|must|can|need to|have to)|go ahead and|feel free to|help me(?: to)?|(?:kannst|könntest|würdest) du)\s+/i
const filler =
  /^(?:and|also|always|asap|automatically|bitte|dann|finally|first|if (?:so|not|yes|no)|immediately|in that case|just|kindly|next|now|only|otherwise|please|pls|sofort|then|und)\b[,:]?\s*/i
const label =
  /^(?:action(?: item)?|aufgabe|asap|daily|hourly|important|monthly|note to self|reminder|tasks?|to-?do|urgent|weekly)\s*:\s*/i
const negation = /^(?:don['’]?t|do not|never|no|not|avoid|stop \w+ing|nie|niemals|nicht|keine?[nrms]?)\b/i
/** What comes before the comma of "When …, do …". */
const lead =
  /^(?:after|am|as|at|because|before|bei|between|bevor|by|during|each|every|falls|for|from|given|if|immer wenn|in|jede[nsrm]?|nach|nachdem|on|once|should|since|sobald|solange|starting|today|tomorrow|tonight|unless|until|upon|vor|wenn|when|whenever|where|while|with)\b[^,]*,\s*/i
const timeWord = String.raw`(?:\d[\d:.]*(?:am|pm|st|nd|rd|th|h)?|am|pm|o'clock|uhr|um|and|the|of|other|first|second|third|last|every|each|on|at|by|in|jede[nsrm]?|mornings?|evenings?|afternoons?|nights?|noon|midnight|days?|weeks?|weekdays?|weekends?|months?|quarters?|years?|hours?|minutes?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|morgens?|abends?|mittags?|nachmittags?|tag|woche|monat|stunden?|minuten)`
const time = new RegExp(
  String.raw`^(?:(?:every|each|on|at|by|in|jede[nsrm]?|am|um)\s+(?:${timeWord}\b[,:]?\s*)+|(?:today|tomorrow|tonight|daily|weekly|monthly|hourly|once an? (?:day|week|month)|heute|morgens?|abends|täglich|wöchentlich|monatlich)\b[,:]?\s*)`,
  'i',
)

const clausesOfSentence = (sentence: string): Clause[] => {
  let rest = sentence.replace(/^[^\p{L}\p{N}“`@]+/u, '').trim()
  let asked = !rest.endsWith('?')
  for (let before = ''; before !== rest; ) {
    before = rest
    const request = rest.replace(polite, '')
    if (request !== rest) asked = true
    rest = request.replace(label, '').replace(filler, '').replace(lead, '').replace(time, '')
  }
  if (!asked || negation.test(rest)) return []
  return grouped(rest)
}

const joint = /(,\s*(?:(?:and|und)\s+)?|\s+(?:and|und|&|plus)\s+)/

/** Cuts a sentence at its commas and "and"s, and puts together again what is not a clause of its own. */
const grouped = (sentence: string): Clause[] => {
  const parts = sentence.split(joint)
  const texts = [parts[0] ?? '']
  for (let index = 1; index < parts.length; index += 2) {
    const part = parts[index + 1] ?? ''
    const before = parts.slice(0, index).join('')
    const own = part.replace(filler, '')
    if (!negation.test(own) && startsClause(own, before)) texts.push(own)
    else if (negation.test(own)) texts.push('')
    else texts.push(`${texts.pop() ?? ''}${parts[index] ?? ''}${part}`)
  }
  return texts.map(clause).filter((found) => found.words.length > 0)
}

const clause = (text: string): Clause => {
  const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}“#@]/u.test(word))
  return { text: text.trim(), words, bare: words.map(bareWord) }
}

const bareWord = (word: string): string =>
  word
    .toLowerCase()
    .replace(/^[^\p{L}\p{N}#@“]+|[^\p{L}\p{N}”]+$/gu, '')
    .replace(/^(e|re)-(?=mail|send|book)/, '$1')

const startsClause = (part: string, before: string): boolean => {
  const { words, bare } = clause(part)
  const verb = bare[0] ?? ''
  if (kindOf(verb) === undefined || words[0]?.toLowerCase() !== words[0]) return false
  if (userWords.has(bare[1] ?? '')) return true
  return (isObject(words, 1) || isWriteInfinitive(`${verb}n`)) && !isSubordinate(before, bare[1] ?? '')
}

/** The user, as the one to be told. */
export const userWords: ReadonlySet<string> = new Set(['me', 'us', 'myself', 'mich', 'mir', 'uns'])

const pronouns = new Set(['it', 'them', 'him', 'her', 'these', 'those'])
const openers = new Set(
  `a all an another any anything at back both each enough every everyone everybody everything extra his its more my new old one our
  outdated overdue some something stale that the their this to two three unread your alle allen allem das dem den der die dein deine ein eine einem einen einer es ihm ihn ihr
  ihre jeden jede mein meine meinen sie unser unsere unseren an zu`.split(/\s+/),
)

/** True when the word at `index` opens an object: an article, a pronoun, a number, a name, a quotation, a file, a handle. */
export const isObject = (words: readonly string[], index: number): boolean => {
  const word = words[index]
  if (word === undefined) return false
  const bare = bareWord(word)
  if (pronouns.has(bare) || openers.has(bare) || word.startsWith('“')) return true
  if (/^\d/.test(bare)) return words.length > index + 1
  if (/^[`@#/]|@|\/|\w\.\w/.test(word)) return true
  return /^\p{Lu}/u.test(word) && !(words.length > 2 && words.every((other) => !/^\p{Ll}/u.test(other)))
}

/**
 * True when a verb behind "and" may belong to a subordinate clause ("who can read and delete the files"), which asks for
 * nothing. After "that are", "which arrived" a bare verb cannot, and hardly before "them".
 */
const isSubordinate = (before: string, object: string): boolean => {
  const words = before.toLowerCase().split(/[^\p{L}\p{N},'’]+/u)
  return words.some((word, index) => {
    const next = words[index + 1] ?? ''
    const closed = /^(?:is|are|was|were|has|have|had|isn't|aren't)$|ed$|[^s]s$/.test(next)
    if (/^(?:that|which|who|where|what|when)$/.test(word)) return !closed && !(word !== 'who' && pronouns.has(object))
    if (word === 'to') return kindOf(next) !== undefined
    if (word === 'if' || word === 'ob' || word === 'wenn') return index > 0 && !(words[index - 1] ?? '').endsWith(',')
    return /^(?:whether|how|why|whom|can|could|may|might|must|should|will|would|i|we|you|they|people|users|ich|wir|man|wer|wie|welche[nrs]?|können|sollen)$/.test(
      word,
    )
  })
}
