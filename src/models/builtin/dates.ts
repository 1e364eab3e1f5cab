import { casual as german } from 'chrono-node/de'
import { casual as english } from 'chrono-node/en'
import { casual as spanish } from 'chrono-node/es'
import { casual as french } from 'chrono-node/fr'
import { hans as simplified } from 'chrono-node/zh/hans'
import { hant as traditional } from 'chrono-node/zh/hant'
import { isDateWord, type Language } from './date-words.ts'
import { words } from './words.ts'
import { dayNumber, type WallTime } from './zone.ts'

/** A date that a line names. */
export interface FoundDate {
  /** Days since 1 January 1970. */
  day: number
  /** Named from where the writer stood: "tomorrow", "Friday". */
  relative: boolean
  /** Named as a limit: "by 2 April". */
  limit: boolean
}

type Parsed = ReturnType<typeof english.parse>[number]
interface Match {
  day: number
  /** Of a range, its last day. */
  endDay: number | undefined
  relative: boolean
  index: number
  end: number
}

const parsers: Record<Language, Pick<typeof english, 'parse'>[]> = {
  en: [english],
  de: [german],
  fr: [french],
  es: [spanish],
  zh: [simplified, traditional],
  figures: [],
}

/** A long line is read in overlapping windows, for chrono's time grows faster than its text. */
const longestWindow = 160
const windowStep = 120
const earliestHour = 6
const mostWindows = 5
const mostDates = 10
/** More numbers or words of dates than this in one window are a table or an attack, and no sentence that names a date. */
const mostNumbers = 16

const limitBefore =
  /(?:\b(?:by|before|until|till|due|deadline|no later than|latest|bis|spätestens|vor|fällig|frist|avant|d['’]ici|jusqu['’]au|antes|hasta|plazo)\b|截止|最晚|最迟|期限)[\s:]*(?:on|the|is|to|zum|am|dem|den|le|la|el|del|de|至|到|于|日期)?[\s:：]*$/iu
const limitAfter = /^\s*(?:之?前|以前|到期|截止|fällig|deadline)/iu
const pastBefore =
  /(?:\b(?:was|were|instead of|rather than|previously|originally|formerly|not|no longer|statt|anstatt|bisher|vorher|ursprünglich|nicht|au lieu d[ue]|en lugar del?|en vez del?)|原定|原为|原本|而不是|不是)[\s:]*(?:on|the|for|am|dem|den|le|el|于|在|是)?\s*$/iu
const fromBefore = /(?:\b(?:from|vom|von|du|del|desde)|从|從|由)\s*(?:the|dem|den)?\s*$/iu
const goneBy = /\b(?:last|past|letzte\w*|vorige\w*|dernier\w*|passé\w*|pasad[oa]|últim[oa])\b|^上/iu
const morning = /^(?:morgen|mañana)/iu
const sameMorning = /\b(?:guten|jeden|am|der|heute|la|esta)\s*$/iu
const dayAfter = /(?:day after|après-|pasado)\s*$/iu
const shortDay = /^(?:(?:next|this|on)\s)?(?:mon|tue|wed|thu|fri|sat|sun)$/i
const shortDayBefore = /\b(?:by|due|on|until|before|this|next)[\s:]*$/i
const vague = /week|month|quarter|year|woche|monat|jahr|semaine|mois|semana|mes|año|\bans?\b/iu

/**
 * The dates of a line as seen from a wall time, without those that the line itself calls past ("was 3 April"), at most
 * ten. A figure like 02/04/2026, which two countries read differently, is no date here.
 */
export function datesIn(text: string, languages: readonly Language[], now: WallTime, moved: boolean): FoundDate[] {
  if (languages.length === 0) return []
  const matches: Match[] = []
  for (let window = 0; window < mostWindows && matches.length < mostDates; window += 1) {
    const offset = window * windowStep
    const part = text.slice(offset, offset + longestWindow)
    for (const found of matchesIn(part, languages, now)) {
      keepLonger(matches, { ...found, index: found.index + offset, end: found.end + offset })
    }
    if (offset + longestWindow >= text.length) break
  }
  return matches
    .sort((a, b) => a.index - b.index)
    .slice(0, mostDates)
    .flatMap((match) => asSaid(match, text, moved))
}

function* matchesIn(part: string, languages: readonly Language[], now: WallTime): Generator<Match> {
  yield* inFigures(part, now)
  if (crowded(part)) return
  const reference = referenceOf(now)
  for (const language of languages) {
    for (const parser of parsers[language]) {
      const all = parser.parse(part, reference)
      for (const parsed of all) {
        const match = readParsed(parsed, part, now)
        if (match) yield match
      }
      const swallowed = all.find(isTimeOfDayFirst)
      if (swallowed) yield* behindTimeOfDay(parser, part, swallowed, now)
    }
  }
}

/** Of "night on Thursday, 24 September" chrono takes the night and loses the date. */
const isTimeOfDayFirst = ({ start, text }: Parsed): boolean =>
  !start.isCertain('day') && !start.isCertain('weekday') && /^\p{L}+[\s,]+\S/u.test(text)

function* behindTimeOfDay(
  parser: Pick<typeof english, 'parse'>,
  part: string,
  { index, text }: Parsed,
  now: WallTime,
): Generator<Match> {
  const from = index + (/^\p{L}+/u.exec(text)?.[0].length ?? 0)
  const rest = part.slice(from)
  for (const parsed of parser.parse(rest, referenceOf(now))) {
    const match = readParsed(parsed, rest, now)
    if (match) yield { ...match, index: match.index + from, end: match.end + from }
  }
}

const crowded = (part: string): boolean =>
  [...part.matchAll(/\d+/g)].length > mostNumbers || words(part).filter(isDateWord).length > mostNumbers

/** Two readings of the same characters: the longer one knows more; of equal ones the first counts. */
function keepLonger(matches: Match[], match: Match): void {
  const length = match.end - match.index
  const overlapping = matches.filter((other) => match.index < other.end && other.index < match.end)
  if (overlapping.some((other) => other.end - other.index >= length)) return
  for (const other of overlapping) matches.splice(matches.indexOf(other), 1)
  matches.push(match)
}

/**
 * Some of chrono's parsers read the reference with the machine's own zone, whatever zone they are told. A reference whose
 * fields in that zone are the wall time gives the same dates on every machine. After midnight some take "tomorrow" for
 * the day that has just begun, so the night counts as morning.
 */
const referenceOf = (now: WallTime): Date =>
  new Date(now.year, now.month - 1, now.day, Math.max(now.hour, earliestHour), now.minute)

/** Dates in figures, day first where points part them: 2026-04-15, 15.04.2026, and "am 2.4."; chrono reads points month-first. */
function* inFigures(text: string, now: WallTime): Generator<Match> {
  for (const match of text.matchAll(/(?<![\d.-])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/g)) {
    yield* figureMatch(match, validDay(Number(match[1]), Number(match[3]), Number(match[4])))
  }
  for (const match of text.matchAll(/(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.(?:\s?(\d{4}))?(?![.\d])/g)) {
    if (match[3] === undefined && !/\b(?:am|bis|zum|vom|den|dem|ab)\s*$/i.test(text.slice(0, match.index))) continue
    const years = match[3] === undefined ? [now.year - 1, now.year, now.year + 1] : [Number(match[3])]
    const days = years.flatMap((year) => validDay(year, Number(match[2]), Number(match[1])) ?? [])
    const today = dayNumber(now)
    yield* figureMatch(match, days.sort((a, b) => Math.abs(a - today) - Math.abs(b - today))[0])
  }
}

function* figureMatch(match: RegExpExecArray, day: number | undefined): Generator<Match> {
  if (day === undefined) return
  yield { day, endDay: undefined, relative: false, index: match.index, end: match.index + match[0].length }
}

function readParsed(parsed: Parsed, text: string, now: WallTime): Match | undefined {
  const { start, end, index } = parsed
  const before = text.slice(0, index)
  const tags = parsed.tags()
  if (!start.isCertain('day') && !start.isCertain('weekday')) return undefined
  if (tags.has('casualReference/now') || (tags.has('result/relativeDate') && vague.test(parsed.text))) return undefined
  if (tags.has('parser/SlashDateFormatParser') && isAmbiguous(parsed.text)) return undefined
  if ((morning.test(parsed.text) && sameMorning.test(before)) || (before.endsWith('下') && /^下/.test(parsed.text)))
    return undefined
  const day = dayOf(start)
  if (day === undefined) return undefined
  const match = {
    day,
    endDay: end ? dayOf(end) : undefined,
    relative: !start.isCertain('month') || !/\d|月/.test(parsed.text),
    index,
    end: index + parsed.text.length,
  }
  if (start.isCertain('day')) return { ...match, day: dayAfter.test(before) ? day + 1 : day }
  if (/^[\p{ASCII}]{1,4}$/u.test(parsed.text) && !(shortDay.test(parsed.text) && shortDayBefore.test(before)))
    return undefined
  return { ...match, day: !goneBy.test(parsed.text) && day < dayNumber(now) ? day + 7 : day }
}

/** A match as the words around it mean it: nothing when it no longer holds. */
function asSaid(match: Match, text: string, moved: boolean): FoundDate[] {
  const before = text.slice(Math.max(0, match.index - 40), match.index)
  const limit = limitBefore.test(before) || limitAfter.test(text.slice(match.end, match.end + 20))
  const from = moved && fromBefore.test(before)
  if (pastBefore.test(before) || (from && match.endDay === undefined)) return []
  return [{ day: from ? match.endDay! : match.day, relative: match.relative, limit }]
}

const dayOf = (date: Parsed['start']): number | undefined =>
  validDay(date.get('year') ?? 0, date.get('month') ?? 0, date.get('day') ?? 0)

function isAmbiguous(text: string): boolean {
  const [first, second] = text.split(/\D+/).map(Number)
  return first !== undefined && second !== undefined && first <= 12 && second <= 12 && first !== second
}

function validDay(year: number, month: number, day: number): number | undefined {
  if (year < 1970 || year > 9999 || month < 1 || month > 12 || day < 1) return undefined
  const number = dayNumber({ year, month, day })
  return new Date(number * 86_400_000).getUTCDate() === day ? number : undefined
}
