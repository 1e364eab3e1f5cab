import type { Change } from '../../domain/change.ts'
import { conceptOf } from './concepts.ts'
import { dateLanguages, type Language } from './date-words.ts'
import * as lexicon from './lexicon.ts'
import { PhraseBook } from './phrases.ts'
import { cut } from './quote.ts'
import { any, type Bits, Noise, Signal } from './signals.ts'
import { stopWords } from './stop-words.ts'
import { hasCjk, words } from './words.ts'

/** Longest part of a line that is looked at, in characters. */
const longestLine = 2000
const mostLines = 2000
/** How many words of a mail count towards what it is about. */
const mostWords = 2000

/** An added line as rules see it. */
export interface Line {
  /** Of the added lines, which: to tell lines apart and to keep their order. */
  at: number
  text: string
  /** How often each word that says something occurs. */
  terms: Map<string, number>
  signals: Bits
  noise: Bits
  dateLanguages: Language[]
  /** Words of the Markdown heading above it, where the change shows it. */
  heading: ReadonlySet<string>
  isHeading: boolean
  isSubject: boolean
}

/** A change as rules see it. */
export interface ReadItem {
  change: Change
  isMail: boolean
  /** Words of key, title and author: where it is and who it is from. */
  place: ReadonlySet<string>
  /** Of a mail, its subject. */
  title: Line | null
  /** Words of everything that was read of it. */
  terms: ReadonlySet<string>
  lines: Line[]
  /** False when the report or the reading left some of its lines out. */
  isWhole: boolean
  /** Of all its lines together. */
  signals: Bits
  noise: Bits
}

const signalBook = new PhraseBook([
  [lexicon.urgent, Signal.urgent],
  [lexicon.important, Signal.important],
  [lexicon.deadline, Signal.deadline],
  [lexicon.meeting, Signal.meeting],
  [lexicon.moved, Signal.moved],
  [lexicon.cancelled, Signal.cancelled],
  [lexicon.blocked, Signal.blocked],
  [lexicon.unblocked, Signal.unblocked],
  [lexicon.status, Signal.status],
  [lexicon.request, Signal.request],
  [lexicon.mention, Signal.mention],
  [lexicon.failure, Signal.failure],
  [lexicon.todo, Signal.todo],
])
const noiseBook = new PhraseBook([
  [lexicon.passed, Noise.passed],
  [lexicon.nothingToDo, Noise.nothingToDo],
  [lexicon.bulk, Noise.bulk],
  [lexicon.marketing, Noise.marketing],
  [lexicon.receipt, Noise.receipt],
  [lexicon.autoReply, Noise.autoReply],
])

const toAssistantBook = new PhraseBook([[lexicon.toAssistant, 1]])

const asksSomething = /？|\?(?:["'”’)\]*_]*)(?:\s|$)/
/** "(was 9:15)", "instead of 9:35": where something was moved from. */
const movedFrom =
  /[(（](?:(?:was|were|previously|formerly|originally|bisher|vorher|ursprünglich|statt|anstatt)\b|原定于?|原为|原)[^)）]{0,20}\d|\b(?:instead of|rather than|statt|anstatt)\s+(?:(?:at|on|um|am)\s+)?\d/iu
/** What follows speaks of a case that may come: "if you need to cancel", "如需取消". */
const onlyIf =
  /(?:\b(?:if|in case|should you|wenn|falls|sollten sie|si|en caso)\b[^.!?;]{0,40}|如需|如要|如果|若需|若要|倘若)$/iu
const atMe = /(?:^|[\s(])@(?:me|my)\b/i
const openBox = /^\s*[-*+]\s\[ \]/
const percentOff = /\d\s?%\s(?:off|rabatt|de descuento|de réduction)/i
const robot = /newsletter|marketing|promo/i
const replyTitle = /^\s*(?:re|aw|sv|antw|rép|回复|回覆|答复)\s*[:：]/i
const header =
  /^(?:from|to|cc|bcc|message-id|reply-to|in-reply-to|references|mime-version|content-[\w-]+|received|return-path|x-[\w-]+|dkim-[\w-]+|list-[\w-]+)\s*:/i
const dateHeader = /^date\s*:\s*(?:[a-z]{3},\s*)?\d{1,2} [a-z]{3} \d{4} \d{2}:\d{2}/i
const earlierMail = /^\s*>/
const heading = /^#{1,6}\s/
const nowhere: ReadonlySet<string> = new Set()
/** Written for undermind, or by it: what they hold is no news. */
const ownFiles = new Set(['HEARTBEAT.md', 'undermind.toml'])
const ownNote = /^- \d{4}-\d{2}-\d{2}: ".*"(?: …)? \(.*\)$/

const read = new WeakMap<Change, ReadItem>()

/** Reads a change once, however many tasks ask about it. */
export function readChange(change: Change): ReadItem {
  const known = read.get(change)
  if (known) return known
  const item = readNew(change)
  read.set(change, item)
  return item
}

function readNew(change: Change): ReadItem {
  const isMail = change.itemKind === 'mail' || /\.eml$/i.test(change.key)
  const place = new Set(
    termsOf(words(`${change.key} ${change.title} ${change.author ?? ''}`.slice(0, longestLine))).keys(),
  )
  const title = isMail ? readLine(change.title) : null
  const isWhole = change.omitted === 0 && change.added.length <= mostLines
  const item = {
    change,
    isMail,
    place,
    title,
    terms: new Set(place),
    lines: [] as Line[],
    isWhole,
    signals: 0,
    noise: 0,
  }
  const seen = new Set<string>()
  const before = new Set(change.removed.slice(0, mostLines).map(withoutBlanks))
  let above = nowhere
  if (title) readInto(item, title)
  if (isMail && robot.test(change.author ?? '')) item.noise |= Noise.bulk
  const added = ownFiles.has(change.key) ? [] : change.added
  for (let at = 0; at < Math.min(added.length, mostLines); at += 1) {
    const text = cut(added[at]!, longestLine)
    if (isMail && isMailFurniture(text)) {
      if (/^list-unsubscribe/i.test(text)) item.noise |= Noise.bulk
      continue
    }
    if (text.trim() === '' || seen.has(text) || (change.key === 'AGENDA.md' && ownNote.test(text))) continue
    seen.add(text)
    const line = readLine(text, at, above)
    line.isHeading = !isMail && heading.test(text)
    line.isSubject = isMail && isSubjectOf(change.title, text)
    if (line.isHeading) above = new Set(line.terms.keys())
    if (before.has(withoutBlanks(text))) continue
    readInto(item, line)
    item.lines.push(line)
  }
  return item
}

/** By which a line is known again that was only indented or aligned anew. */
const withoutBlanks = (text: string): string => cut(text, longestLine).replace(/\s+/g, '')

function readInto(item: { terms: Set<string>; signals: Bits; noise: Bits }, line: Line): void {
  item.signals |= line.signals
  item.noise |= line.noise
  if (item.terms.size < mostWords) for (const term of line.terms.keys()) item.terms.add(term)
}

/** Reads the beginning of a line; `above` are the words of its heading. */
export function readLine(whole: string, at = -1, above: ReadonlySet<string> = nowhere): Line {
  const text = cut(whole, longestLine)
  const tokens = words(text)
  const languages = dateLanguages(text, tokens)
  const isToUser = toAssistantBook.find(text, tokens).next().done === true
  return {
    at,
    text,
    terms: termsOf(tokens),
    signals: isToUser ? signalsOf(text, tokens) | (languages.length > 0 ? Signal.dateHint : 0) : 0,
    noise: noiseOf(text, tokens),
    dateLanguages: isToUser ? languages : [],
    heading: above,
    isHeading: false,
    isSubject: false,
  }
}

function signalsOf(text: string, tokens: string[]): Bits {
  let signals = 0
  for (const found of signalBook.find(text, tokens)) {
    if (!found.negated) signals |= found.bits === Signal.cancelled && isOnlyIf(text) ? 0 : found.bits
    else if (any(found.bits, Signal.blocked)) signals |= Signal.unblocked
  }
  if (any(signals, Signal.unblocked)) signals &= ~Signal.blocked
  if (movedFrom.test(text)) signals |= Signal.moved
  if (asksSomething.test(text)) signals |= Signal.question
  if (atMe.test(text)) signals |= Signal.mention
  if (openBox.test(text)) signals |= Signal.todo
  if (replyTitle.test(text)) signals |= Signal.reply
  return signals
}

const cancelWord = /cancel|abgesagt|storn|entfällt|fällt aus|annul|取消/iu

/** Whether the first word for a cancellation stands behind an "if". */
function isOnlyIf(text: string): boolean {
  const at = text.search(cancelWord)
  return at >= 0 && onlyIf.test(text.slice(0, at))
}

function noiseOf(text: string, tokens: string[]): Bits {
  let noise = percentOff.test(text) ? Noise.marketing : 0
  for (const found of noiseBook.find(text, tokens)) if (!found.negated) noise |= found.bits
  return noise
}

function termsOf(tokens: string[]): Map<string, number> {
  const terms = new Map<string, number>()
  for (const token of tokens) {
    if (stopWords.has(token)) continue
    const term = conceptOf(token)
    terms.set(term, (terms.get(term) ?? 0) + 1)
  }
  return terms
}

const isMailFurniture = (text: string): boolean => header.test(text) || dateHeader.test(text) || earlierMail.test(text)

const isSubjectOf = (title: string, text: string): boolean =>
  text.trim() === title.trim() || text.replace(/^subject\s*:\s*/i, '').trim() === title.trim()

/** Whether a line says enough to be quoted for its own sake. */
export const saysSomething = (line: Line): boolean =>
  line.terms.size > 1 || (line.terms.size === 1 && hasCjk(line.text))
