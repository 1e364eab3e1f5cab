import { setImmediate as breathe } from 'node:timers/promises'
import type { ReportTask } from '../../domain/report.ts'
import { type Ask, readAsk } from './asking.ts'
import { editOfDates } from './former-dates.ts'
import { type Line, type ReadItem, readLine, saysSomething } from './reading.ts'
import type { Scene } from './scene.ts'
import { any, Noise, Signal } from './signals.ts'

/** Something that fits a task: an item with the lines that are to be quoted, best first. */
export interface Finding {
  item: ReadItem
  lines: Line[]
  score: number
}

export interface Match {
  ask: Ask
  findings: Finding[]
  /** How many changes were looked at. */
  looked: number
  /** How many of those fitted but are routine: passed builds, newsletters, automatic replies. */
  routine: number
  /** How many lines fitted but have already been reported. */
  known: number
  /** How many changes could not be read whole. */
  shortened: number
}

/** After so many items other work of the process gets its turn. */
const slice = 25
const mostMailLines = 2
/** Of a removed item, how many lines are looked at. */
const mostGone = 50
const nearDays = 7
const letter = /\p{L}/u

/** Finds what fits a task. Linear in the items and their lines. */
export async function match(task: ReportTask, scene: Scene): Promise<Match> {
  const ask = readAsk(task)
  const result: Match = { ask, findings: [], looked: 0, routine: 0, known: 0, shortened: 0 }
  let entered = 0
  for (const item of scene.items) {
    result.looked += 1
    if (!item.isWhole) result.shortened += 1
    if (!isOfKind(ask, item) || !mayAnswer(ask, item) || isExcluded(ask, item)) continue
    entered += 1
    if (entered % slice === 0) await breathe()
    const lines = fittingLines(ask, item, scene)
    if (lines.length === 0) continue
    if (isRoutine(ask, item)) {
      result.routine += 1
      continue
    }
    const fresh = lines.filter(({ line }) => !scene.alreadyTold(item.change, line))
    result.known += lines.length - fresh.length
    const finding = findingOf(item, fresh)
    if (finding) result.findings.push(finding)
  }
  result.findings.sort((a, b) => b.score - a.score || b.item.change.seq - a.item.change.seq)
  return result
}

interface Scored {
  line: Line
  score: number
}

const isOfKind = (ask: Ask, { change, isMail }: ReadItem): boolean => {
  if (change.itemKind === 'health') return ask.only === 'health'
  if (ask.files.length > 0 && !ask.files.some((name) => change.key.toLowerCase().endsWith(name))) return false
  if (ask.only === 'mail') return isMail || /(?:^|\/)(?:inbox|mail)\//i.test(change.key)
  return ask.only === null || (ask.only === 'files' && !isMail)
}

/** A cheap look that spares most items the careful one. */
const mayAnswer = (ask: Ask, item: ReadItem): boolean => {
  const byDate = ask.dates || ask.nearDeadlines || any(ask.wants, Signal.moved)
  return ask.wants === 0 || any(item.signals, byDate ? ask.wants | Signal.dateHint : ask.wants)
}

const isExcluded = (ask: Ask, item: ReadItem): boolean => {
  for (const topic of ask.except) if (item.place.has(topic)) return true
  return false
}

/**
 * Routine is not reported unless the task names it. A machine's mail that speaks of a failure or to the user is no
 * routine; an advertisement or an automatic reply always is.
 */
function isRoutine(ask: Ask, item: ReadItem): boolean {
  if (item.noise === 0 || !item.isMail) return false
  if (ask.wants === 0 && ask.topics.size > 0) return false
  if (any(item.noise, Noise.marketing | Noise.autoReply)) return true
  return !any(item.signals, Signal.failure | Signal.mention | Signal.blocked)
}

function fittingLines(ask: Ask, item: ReadItem, scene: Scene): Scored[] {
  const place = share(ask.topics, item.place)
  const whole = item.isMail ? share(ask.topics, item.terms) : 0
  if (ask.topics.size > 0 && place < 0.5 && item.isMail && whole < 0.5) return []
  if (item.change.kind === 'removed') return ask.removals && place >= 0.5 ? firstGone(item) : []
  const fits: Scored[] = []
  for (const line of item.lines) {
    if (!isQuotable(ask, item, line)) continue
    if (ask.topics.size > 0 && place < 0.5 && !item.isMail && !isAbout(ask, item, line)) continue
    if (!answersTo(ask, item, line, scene)) continue
    fits.push({ line, score: scoreOf(ask, item, line, scene) })
  }
  return fits.length > 0 ? fits : firstLineUnder(ask, item, scene)
}

/** Of what is gone, the first line that says something stands for it. */
function firstGone({ change }: ReadItem): Scored[] {
  const line = change.removed
    .slice(0, mostGone)
    .map((text, at) => readLine(text, at))
    .find(saysSomething)
  return line ? [{ line, score: 1 }] : []
}

/** Of a mail whose subject fits but is not among its lines, the first line stands for it. */
function firstLineUnder(ask: Ask, item: ReadItem, scene: Scene): Scored[] {
  if (!item.title || !answersTo(ask, item, item.title, scene)) return []
  const line = item.lines.find(saysSomething)
  return line ? [{ line, score: scoreOf(ask, item, item.title, scene) }] : []
}

function share(topics: ReadonlySet<string>, terms: ReadonlySet<string>): number {
  if (topics.size === 0) return 1
  let hits = 0
  for (const topic of topics) if (terms.has(topic)) hits += 1
  return hits / topics.size
}

const isQuotable = (ask: Ask, item: ReadItem, line: Line): boolean => {
  if (!saysSomething(line) && (line.signals === 0 || !letter.test(line.text))) return false
  if (item.isMail) return true
  if (line.isHeading && line.signals === 0) return false
  return line.noise === 0 || any(line.signals, ask.wants) || (ask.wants === 0 && ask.topics.size > 0)
}

/** Half of the task's words, at least one of them in the line itself or its heading, the rest anywhere around it. */
function isAbout(ask: Ask, item: ReadItem, line: Line): boolean {
  let near = 0
  let around = 0
  for (const topic of ask.topics) {
    if (line.terms.has(topic) || line.heading.has(topic)) near += 1
    else if (item.place.has(topic)) around += 1
  }
  return near > 0 && (near + around) / ask.topics.size >= 0.5
}

function answersTo(ask: Ask, item: ReadItem, line: Line, scene: Scene): boolean {
  if (ask.wants === 0) return true
  const hits = line.signals & ask.wants
  if (!any(line.signals, Signal.dateHint)) return hits !== 0
  if (any(hits, ~plans)) return true
  if (ask.overdue && isOverdue(item, line, scene)) return true
  if (isLongOver(item, line, scene)) return false
  const edit = any(ask.wants, plans) ? editOfDates(item, line, scene) : null
  if (edit === 'kept' && ask.changesOnly && !any(hits, ~Signal.deadline)) return false
  if (hits !== 0 || (edit === 'moved' && any(ask.wants, Signal.moved))) return true
  if (ask.dates && isDated(ask, item, line, scene)) return true
  return ask.nearDeadlines && isNearDeadline(item, line, scene)
}

const plans = Signal.deadline | Signal.moved | Signal.cancelled
const longAgo = 60

/** Whether all that a line dates is so long past that nobody can act on it any more. */
function isLongOver(item: ReadItem, line: Line, scene: Scene): boolean {
  const dates = scene.dates(item, line)
  return dates.length > 0 && dates.every(({ day }) => day < scene.today - longAgo)
}

/** Within a year and a month: what was due before that has been given up. */
const farBack = 400

const isOverdue = (item: ReadItem, line: Line, scene: Scene): boolean =>
  scene
    .dates(item, line)
    .some(
      ({ day, limit }) =>
        (limit || any(line.signals, Signal.deadline)) && day < scene.today && day >= scene.today - farBack,
    )

/** A date answers when it limits or calls somewhere, or is still to come in what the task is about. */
const isDated = (ask: Ask, item: ReadItem, line: Line, scene: Scene): boolean =>
  scene
    .dates(item, line)
    .some(
      ({ day, limit }) =>
        limit ||
        any(line.signals, Signal.deadline | Signal.meeting) ||
        ((ask.anyDate || (ask.topics.size > 0 && !item.isMail)) && day >= scene.today),
    )

function isNearDeadline(item: ReadItem, line: Line, scene: Scene): boolean {
  return scene
    .dates(item, line)
    .some(
      ({ day, limit }) =>
        (limit || any(line.signals, Signal.deadline)) && day >= scene.today && day <= scene.today + nearDays,
    )
}

function scoreOf(ask: Ask, item: ReadItem, line: Line, scene: Scene): number {
  let score = scene.weight(item, line)
  for (const topic of ask.topics) score += relevance(topic, line, scene)
  return score
}

/** The part of BM25 that one word of the task contributes. */
function relevance(topic: string, line: Line, scene: Scene): number {
  const times = line.terms.get(topic)
  if (times === undefined) return 0
  const having = scene.frequency.get(topic) ?? 1
  const rarity = Math.log(1 + (scene.items.length - having + 0.5) / (having + 0.5))
  return (rarity * times * 2.2) / (times + 0.6 + 0.06 * line.terms.size)
}

/** An item with its lines, the best first; a mail is one thing, for which two lines stand. */
function findingOf(item: ReadItem, fits: Scored[]): Finding | undefined {
  const best = [...fits].sort((a, b) => b.score - a.score || a.line.at - b.line.at)
  const first = best[0]
  if (!first) return undefined
  const lines = best.map(({ line }) => line)
  return { item, lines: item.isMail ? lines.slice(0, mostMailLines) : lines, score: first.score }
}
