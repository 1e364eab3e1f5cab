import type { Priority } from '../../domain/escalation.ts'
import { ownLines, type TextLine } from './own-lines.ts'

/** An action that a text recommends under its own name. */
export interface RecommendedAction {
  /** What the text says before it. */
  before: string
  action: string
  priority?: Priority
}

/** What may stand before the words: marks of headings, list items and emphasis, in any order. */
const dress = String.raw`(?<dress>(?:#{1,6}\s+|[-*+•]\s+(?:\[[ xX]\]\s+)?|\d{1,3}[.)]\s+|[*_]{1,3}){0,5})`
const words = String.raw`(?<words>recommended[ \t_-]{1,4}actions?)`
const level = String.raw`(?:\s*[([（【—–-]\s*(?:priority\s*[:：]?\s*)?(?<level>critical|important|normal)\s*[)\]）】]?)?`
const marker = new RegExp(
  String.raw`^ {0,3}${dress}${words}(?<end>[*_]{0,3})${level}(?<close>[*_]{0,3})\s{0,4}(?<colon>[:：﹕︰]?)\s{0,4}(?<shut>[*_]{0,3})`,
  'iu',
)
const markerReach = 200

const noAction =
  /^(?:(?:none|nothing|n\/?a|not (?:needed|required|applicable)|keine|nichts)(?:\s+(?:needed|required|necessary|at this time|for now|to do|nötig|erforderlich))?\s*(?:$|[.!,;(—–-])|no\s+(?:further |immediate |specific )?actions?(?![\p{L}\p{N}])|keine\s+(?:aktion|maßnahme)|(?:无|無|没有|沒有|不需要|无需)(?:任何)?(?:操作|行动|行動|处理|动作)?[。.！!]?$)/iu
const longestNoAction = 60

/**
 * The action behind the words RECOMMENDED ACTION: in any case and Markdown dress, undefined where a text recommends none.
 * The words count where they begin a line of the text's own: not in a quotation or a fence of data, and not in the middle
 * of a sentence. Time grows with the length of the text only.
 */
export function recommendedAction(text: string): RecommendedAction | undefined {
  const lines = ownLines(text)
  for (const [index, line] of lines.entries()) {
    const found = line.own ? marker.exec(line.text.slice(0, markerReach)) : null
    if (!found?.groups || !isHeadOf(found.groups, line.text.slice(found[0].length))) continue
    if (isWithinSentence(found.groups, lines, index)) continue
    const { action, priority } = readPriority(actionFrom(found, lines, index))
    if (isNone(action)) continue
    const level = found.groups.level?.toLowerCase() as Priority | undefined
    const stated = level ?? priority
    return { before: textBefore(lines, index), action, ...(stated && { priority: stated }) }
  }
  return undefined
}

type Groups = NonNullable<RegExpExecArray['groups']>

const isHeading = ({ dress = '' }: Groups): boolean => dress.includes('#')

/** With a colon, or alone on a line that is a heading or is emphasised. */
const isHeadOf = (groups: Groups, rest: string): boolean =>
  groups.colon !== '' || (rest.trim() === '' && (isHeading(groups) || `${groups.end}${groups.close}` !== ''))

const structure = /^\s*(?:#{1,6}\s|[-*+•]\s|\d{1,3}[.)]\s|\||[*_]{2,3}[^*_]+[*_]{2,3}[:：]?\s*$|(?:[-*_=]\s?){3,}$)/
const unended = /[\p{L}\p{N}]\s*$/u
const goesOn = /[,，、:：]\s*$/

/** Whether the line before leads into these words: it announces a quotation, or its sentence has not ended. */
function isWithinSentence({ dress = '', words = '' }: Groups, lines: readonly TextLine[], index: number): boolean {
  const before = lines[index - 1]?.text ?? ''
  if (before.trim() === '' || /^\s*#{1,6}\s/.test(before)) return false
  if (goesOn.test(before)) return true
  return dress === '' && words !== words.toUpperCase() && !structure.test(before) && unended.test(before)
}

function actionFrom(found: RegExpExecArray, lines: readonly TextLine[], index: number): string {
  const groups = found.groups ?? {}
  const line = lines[index]!
  const first = line.text.slice(found[0].length)
  // Emphasis that was opened before the words and not closed with them ends behind the action.
  const open = /[*_]{1,3}$/.test(groups.dress ?? '') && `${groups.end}${groups.close}${groups.shut}` === ''
  let end = index + 1
  while (end < lines.length && !endsAction(lines[end]!, line, groups)) end += 1
  const rest = lines.slice(index + 1, end).map((next) => next.text)
  return [open ? first.replace(/[*_]{1,3}\s*$/, '') : first, ...rest].join('\n').trim()
}

/** In a code fence the action goes to the end of that, under a heading to the next one of its rank. */
function endsAction(next: TextLine, line: TextLine, { dress = '' }: Groups): boolean {
  if (line.block !== 0 && (next.block !== line.block || next.isFence)) return true
  const rank = dress.split('#').length - 1
  const heading = /^ {0,3}(?<marks>#{1,6})\s/.exec(next.text)?.groups?.marks
  return rank > 0 && heading !== undefined && heading.length <= rank
}

const priorityLine =
  /^\s*(?:[-*+•]\s+)?[*_]{0,3}priority[*_]{0,3}\s*[:：]\s*[*_]{0,3}\s*(?<level>critical|important|normal)[*_]{0,3}[.。]?\s*$/iu

/** An action without the line that says how much it matters, and what that line says. */
function readPriority(action: string): { action: string; priority?: Priority } {
  const lines = action.split('\n')
  const at = lines.findIndex((line) => line.length < markerReach && priorityLine.test(line))
  const level = priorityLine.exec(lines[at] ?? '')?.groups?.level?.toLowerCase() as Priority | undefined
  if (!level) return { action }
  return { action: lines.toSpliced(at, 1).join('\n').trim(), priority: level }
}

const isNone = (action: string): boolean =>
  !/[\p{L}\p{N}]/u.test(action) || (action.length <= longestNoAction && noAction.test(action.replace(/^[*_\s-]+/, '')))

/** The text before, without a fence that only opened for the action. */
const textBefore = (lines: readonly TextLine[], index: number): string => {
  const { block } = lines[index]!
  return lines
    .slice(0, index)
    .filter((line) => !(line.isFence && block !== 0 && line.block === block))
    .map(({ text }) => text)
    .join('\n')
    .trim()
}
