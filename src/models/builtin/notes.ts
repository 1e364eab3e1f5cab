import type { Priority } from '../../domain/escalation.ts'
import { isDateWord } from './date-words.ts'
import type { FoundDate } from './dates.ts'
import type { Finding, Match } from './match.ts'
import { type Quote, quoteOf, withoutMark } from './quote.ts'
import { type Line, type ReadItem, readLine } from './reading.ts'
import type { Scene } from './scene.ts'
import { any, Noise, Signal } from './signals.ts'

/** A dated line that is worth noting in the agenda. */
export interface Note {
  finding: Finding
  line: Line
  /** Days since 1 January 1970. */
  day: number
  quote: Quote
  /** Words for what it is about, without those of its date. */
  subject: ReadonlySet<string>
  priority: Priority
  relative: boolean
}

const farthest = 400
const longestQuote = 200
const mostCandidates = 30
/** Of a change, how many removed lines are compared. */
const mostRemoved = 200
const strong = Signal.deadline | Signal.meeting | Signal.moved

/** The dated lines among a task's findings: deadlines, meetings and changes of plan ahead, one per item and day. */
export function notesOf({ ask, findings }: Match, scene: Scene): Note[] {
  const notes: Note[] = []
  for (const finding of findings) {
    for (const note of notesIn(finding, ask.anyDate, scene)) notes.push(note)
    if (notes.length >= mostCandidates) break
  }
  return notes.slice(0, mostCandidates)
}

function notesIn(finding: Finding, anyDate: boolean, scene: Scene): Note[] {
  const { item } = finding
  if (item.isMail && (any(item.signals, Signal.cancelled) || any(item.noise, ~Noise.nothingToDo))) return []
  const byDay = new Map<number, Note>()
  for (const line of finding.lines) {
    const date = comingDate(item, line, anyDate, scene)
    if (!date || !isNews(item, line, date, scene)) continue
    const known = byDay.get(date.day)
    if (!known || (known.relative && !date.relative)) byDay.set(date.day, noteOf(finding, line, date, scene))
  }
  return [...byDay.values()]
}

function comingDate(item: ReadItem, line: Line, anyDate: boolean, scene: Scene): FoundDate | undefined {
  if (any(line.signals, Signal.cancelled)) return undefined
  const isStrong = anyDate || any(line.signals | (item.title?.signals ?? 0), strong)
  return scene
    .dates(item, line)
    .find(({ day, limit }) => day >= scene.today && day <= scene.today + farthest && (limit || isStrong))
}

/** A date that the same line named before it was edited is not new. */
function isNews(item: ReadItem, line: Line, date: FoundDate, scene: Scene): boolean {
  const subject = wordsOf(line)
  return !item.change.removed.slice(0, mostRemoved).some((text) => {
    const removed = readLine(text)
    return sameSubject(wordsOf(removed), subject) && scene.dates(item, removed).some(({ day }) => day === date.day)
  })
}

function noteOf(finding: Finding, line: Line, date: FoundDate, scene: Scene): Note {
  const { title } = finding.item
  const isUrgent = any(line.signals | (title?.signals ?? 0), Signal.urgent)
  const ahead = date.day - scene.today
  return {
    finding,
    line,
    day: date.day,
    quote: quoteOf(withoutMark(line.text), longestQuote),
    subject: new Set([...wordsOf(line), ...(title ? wordsOf(title) : [])]),
    priority: isUrgent && ahead <= 1 ? 'critical' : isUrgent || ahead <= 3 ? 'important' : 'normal',
    relative: date.relative,
  }
}

export const wordsOf = (line: Line): Set<string> => new Set([...line.terms.keys()].filter((word) => !isDateWord(word)))

/** Half of the words of the shorter one are in the longer one. */
export function sameSubject(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [fewer, more] = one.size <= other.size ? [one, other] : [other, one]
  let shared = 0
  for (const word of fewer) if (more.has(word)) shared += 1
  return shared > 0 && shared * 2 >= fewer.size
}

export const sameNote = (one: Note, other: Note): boolean =>
  one.day === other.day && sameSubject(one.subject, other.subject)
