import type { ReportTask } from '../../domain/report.ts'
import { conceptOf, withThingsApart } from './concepts.ts'
import * as lexicon from './lexicon.ts'
import { type Found, PhraseBook } from './phrases.ts'
import { any, type Bits, Signal } from './signals.ts'
import { stopWords } from './stop-words.ts'
import { Aspect, asked, containers, titleVerbs, withoutCjkVerbs } from './title-words.ts'
import { hasCjk, words } from './words.ts'

/** What a task's title asks for, as far as rules can read it. */
export interface Ask {
  chinese: boolean
  /** Only mail, only what is no mail, only the runtime's health; null for anything but health. */
  only: 'mail' | 'files' | 'health' | null
  /** Names of files that the title gives, in small letters; then only those count. */
  files: readonly string[]
  /** Words for what it is about; all weigh the same. */
  topics: ReadonlySet<string>
  /** Words for what it is not about ("ignore newsletters", "except from Jon"). */
  except: ReadonlySet<string>
  /** Signals of which a line must have one; 0 when the title asks for none. */
  wants: Bits
  /** Asks for what is urgent: a deadline that is near counts as well. */
  nearDeadlines: boolean
  /** Asks for dates: a line that names the date of a deadline or a meeting counts as well. */
  dates: boolean
  /** Asks for dates of any kind: one that is still to come counts wherever it stands. */
  anyDate: boolean
  /** Asks for what has changed about plans: a date that was there before does not count. */
  changesOnly: boolean
  /** Asks for what should have been done by now: a limit that has passed counts. */
  overdue: boolean
  /** Asks for what is gone: then a removed item counts, and its first line stands for it. */
  removals: boolean
  /** Asks for dates to be noted in AGENDA.md. */
  notes: boolean
  /** Asks for an action that takes tools, which the built-in model has not. */
  needsTools: boolean
  /** Such an action depends on something ("when the build is red"), which is then what the rest is about. */
  conditional: boolean
}

const titleBook = new PhraseBook([
  [lexicon.urgent, Aspect.urgent],
  [lexicon.important, Aspect.urgent],
  [lexicon.deadline, Aspect.deadline],
  [lexicon.moved, Aspect.moved],
  [lexicon.cancelled, Aspect.cancelled],
  [lexicon.blocked, Aspect.blocked],
  [lexicon.unblocked, Aspect.unblocked],
  [lexicon.failure, Aspect.failure],
  ...asked,
])

const plansChange = Signal.moved | Signal.cancelled
const statusChange = Signal.status | Signal.blocked | Signal.unblocked

/** Which signals answer to what a title asks for. */
const answers: readonly (readonly [Bits, Bits])[] = [
  [Aspect.urgent, Signal.urgent | Signal.important],
  [Aspect.deadline | Aspect.dates, Signal.deadline | plansChange],
  [Aspect.moved, plansChange],
  [Aspect.cancelled, Signal.cancelled],
  [Aspect.blocked, Signal.blocked | Signal.unblocked],
  [Aspect.unblocked, Signal.unblocked],
  [Aspect.status, statusChange | Signal.cancelled],
  [Aspect.failure, Signal.failure],
  [Aspect.question, Signal.question | Signal.request | Signal.mention],
  [Aspect.mention, Signal.mention],
  [Aspect.reply, Signal.reply],
  [
    Aspect.actionable,
    Signal.urgent | Signal.deadline | Signal.question | Signal.request | Signal.mention | Signal.todo,
  ],
  [Aspect.actionable, Signal.blocked | Signal.unblocked | Signal.failure | plansChange],
]

const exclusion =
  /(?:\b(?:ignore|ignoring|except(?: for)?|excluding|but not|other than|außer|ohne|nicht von|sauf|excepto|menos)\b|除了|除外|忽略|不包括|不要)([^,.;，。；]*)/giu
const condition =
  /(?:\b(?:when|whenever|if|once|as soon as|for every|for each|sobald|wenn|falls|für jede[nrs]?|quand|lorsque|cuando)\b|如果|每当|一旦|当)(.+?)(?:[,，;；]|的?时|$)/iu
/** "构建失败时发邮件": Chinese can say so without a word before it. */
const conditionBefore = /^([^,，;；]{2,30}?)(?:的时候|的话|时)/u
const agenda = /\bagenda\b/i
const noting =
  /\b(?:note|append|add|write|put|record|enter|list|keep|notier\w*|schreib\w*|trag\w*|ergänz\w*|notez?|ajoute[rz]?|inscri\w*|anota\w*|añad\w*|agrega\w*)\b|记入|记录|记到|写入|写进|添加|加入|加到|追加/iu
const appending = /\bappend\b|追加/i
const fileName =
  /[\p{L}\p{N}_./-]+\.(?:md|markdown|txt|csv|tsv|json|ya?ml|toml|xml|html?|log|eml|mbox|ics|docx?|xlsx?|pptx?|pdf|odt|ods|tex|rst|ini|sql|[jt]sx?|py|rb|rs|go|sh)\b/giu
const otherAsianScript = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

export function readAsk(task: Pick<ReportTask, 'title' | 'intent'>): Ask {
  const { title } = task
  const notes = asksToNote(title)
  const needsTools = task.intent === 'write' && !notes
  const clause = needsTools ? (condition.exec(title) ?? conditionBefore.exec(title))?.[1] : undefined
  const { about, except } = withoutExclusions(clause ?? title)
  const { aspects, topics } = readWords(notes ? about.replace(noting, ' ') : about)
  if (notes) for (const word of words('agenda md')) topics.delete(word)
  if (any(aspects, Aspect.health)) topics.clear()
  const isMentionOf = aspects === Aspect.mention && topics.size > 0
  return {
    chinese: hasCjk(title) && !otherAsianScript.test(title),
    only: onlyOf(aspects),
    files: [...about.matchAll(fileName)].map(([name]) => name.toLowerCase()).filter((name) => name !== 'agenda.md'),
    topics,
    except,
    wants: isMentionOf ? 0 : wantedBy(aspects) | (notes ? Signal.deadline | plansChange : 0),
    nearDeadlines: any(aspects, Aspect.urgent),
    dates: notes || any(aspects, Aspect.deadline | Aspect.dates | Aspect.actionable),
    anyDate: any(aspects, Aspect.dates) && !any(aspects, Aspect.deadline | Aspect.moved | Aspect.cancelled),
    overdue: any(aspects, Aspect.overdue),
    removals: any(aspects, Aspect.removal),
    changesOnly: any(aspects, Aspect.change | Aspect.moved),
    notes,
    needsTools,
    conditional: clause !== undefined,
  }
}

/** Notes in AGENDA.md are the one thing the built-in model can propose. */
function asksToNote(title: string): boolean {
  if (agenda.test(title)) return noting.test(title)
  return appending.test(title) && title.search(fileName) < 0
}

function withoutExclusions(title: string): { about: string; except: Set<string> } {
  const except = new Set<string>()
  const about = title.replace(exclusion, (_, excluded: string) => {
    for (const topic of topicsOf(words(withoutCjkVerbs(excluded)))) except.add(topic)
    return ' '
  })
  return { about, except }
}

function readWords(title: string): { aspects: Bits; topics: Set<string> } {
  const tokens = words(title)
  const left: (string | null)[] = [...tokens]
  let aspects = 0
  const all = [...titleBook.find(title, tokens)]
  for (const found of all) {
    if (all.some((other) => isWithin(found, other))) continue
    aspects |= found.bits
    if (found.from >= 0) left.fill(null, found.from, found.to)
  }
  const latin = left.filter((word) => word !== null && !hasCjk(word))
  const cjk = hasCjk(title) ? words(withThingsApart(withoutCjkVerbs(titleBook.withoutCjk(title)))).filter(hasCjk) : []
  if (latin[0] === 'review') latin.shift()
  return { aspects, topics: topicsOf([...(latin as string[]), ...cjk]) }
}

/** A word of a longer phrase means what the phrase does: "reply" in "waiting for my reply". */
const isWithin = (one: Found, other: Found): boolean =>
  one.from >= 0 && other.from <= one.from && other.to >= one.to && other.to - other.from > one.to - one.from

function topicsOf(tokens: string[]): Set<string> {
  const topics = new Set(tokens.filter((word) => !stopWords.has(word) && !titleVerbs.has(word)).map(conceptOf))
  for (const word of containers) if (topics.size > 1) topics.delete(word)
  return topics
}

function onlyOf(aspects: Bits): Ask['only'] {
  if (any(aspects, Aspect.mail)) return 'mail'
  if (any(aspects, Aspect.health)) return 'health'
  return any(aspects, Aspect.files) ? 'files' : null
}

function wantedBy(aspects: Bits): Bits {
  let wants = answers.reduce((all, [aspect, signals]) => (any(aspects, aspect) ? all | signals : all), 0)
  const changesOfPlan = Aspect.deadline | Aspect.dates | Aspect.status
  if (any(aspects, Aspect.change) && any(aspects, changesOfPlan)) wants |= Signal.deadline | plansChange | statusChange
  return wants
}
