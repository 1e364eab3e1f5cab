import type { Provenance } from '../../domain/escalation.ts'
import type { Ask } from './asking.ts'
import { type FixedWords, fixedWords, type Looks, type Things } from './fixed-words.ts'
import type { Finding, Match } from './match.ts'
import { quoteOf, visible } from './quote.ts'
import type { Line } from './reading.ts'
import { any, type Bits, Signal } from './signals.ts'

const mostQuotes = 5

/** What was found, as text: a lead of fixed words, quotes with their places, and the mark that no language model spoke. */
interface Answer {
  text: string
  sources: Provenance[]
}

interface Pick {
  finding: Finding
  rank: number
  line: Line
}

export function answerOf({ ask, findings }: Match, remark?: string): Answer {
  const say = fixedWords(ask.chinese)
  const picks = picksOf(findings)
  const left = findings.reduce((sum, { lines }) => sum + lines.length, 0) - picks.length
  return {
    text: [
      leadOf(ask, findings, say),
      ...picks.map(({ finding, line }) => quoted(line, finding.item.change.key)),
      ...(left > 0 ? [say.more(left)] : []),
      ...(remark === undefined ? [] : [remark]),
      say.mark,
    ].join('\n'),
    sources: picks.map(({ finding, line }) => sourceOf(finding, line)),
  }
}

export const sourceOf = ({ item: { change } }: Finding, line: Line): Provenance => ({
  source: change.source,
  key: change.key,
  quote: quoteOf(line.text).text,
  external: change.external,
})

/** The form in which a line is reported, by which it is known again when it has been. */
export function quoted(line: Line, key: string): string {
  const { text, whole } = quoteOf(line.text)
  return `"${text}"${whole ? '' : ' …'} — ${visible(key)}`
}

/** The best line of every finding before the second of any; then in the order in which people read. */
function picksOf(findings: readonly Finding[]): Pick[] {
  const picks: Pick[] = []
  const rounds = Math.max(0, ...findings.slice(0, mostQuotes).map(({ lines }) => lines.length))
  for (let round = 0; round < rounds && picks.length < mostQuotes; round += 1) {
    for (const [rank, finding] of findings.slice(0, mostQuotes).entries()) {
      const line = finding.lines[round]
      if (line && picks.length < mostQuotes) picks.push({ finding, rank, line })
    }
  }
  return picks.sort((a, b) => a.rank - b.rank || a.line.at - b.line.at)
}

function leadOf(ask: Ask, findings: readonly Finding[], say: FixedWords): string {
  const looks = new Set(findings.map((finding) => looksOf(ask, finding)))
  const things = new Set(findings.map(thingsOf))
  return say.lead(
    findings.length,
    things.size === 1 ? [...things][0]! : 'changes',
    looks.size === 1 ? [...looks][0]! : 'fits',
  )
}

const thingsOf = ({ item: { isMail, change } }: Finding): Things => {
  if (change.kind === 'removed') return 'goneItems'
  if (isMail && change.kind === 'added') return 'mails'
  if (isMail || change.itemKind === 'health') return 'changes'
  return change.kind === 'added' ? 'newFiles' : 'changedFiles'
}

const looksBySignals: readonly (readonly [Looks, Bits])[] = [
  ['urgent', Signal.urgent],
  ['failure', Signal.failure],
  ['dates', Signal.deadline | Signal.moved | Signal.cancelled],
  ['status', Signal.status | Signal.blocked | Signal.unblocked],
  ['asks', Signal.question | Signal.request | Signal.mention],
]

function looksOf(ask: Ask, { lines }: Finding): Looks {
  if (ask.wants === 0) return 'fits'
  const signals = lines.reduce((all, line) => all | line.signals, 0)
  const asked = looksBySignals.find(([, bits]) => any(signals, bits & ask.wants))
  if (asked) return asked[0]
  return ask.dates || ask.nearDeadlines ? 'dates' : 'fits'
}
