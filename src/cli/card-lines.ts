import type { Page } from './page.ts'
import { printable, printableLine } from './printable.ts'
import { localTime, relativeTime, when } from './times.ts'
import type { Card, Found } from './views.ts'
import { displayWidth } from './width.ts'
import { wrapBehind } from './wrap.ts'

/** Every line of what a stranger may have written stands behind a bar, so that it cannot pose as a line of the card. */
const behindBar = (text: string, { columns, paint }: Page): string[] =>
  wrapBehind('', printable(text), columns - 6).map((line) => `    ${paint('gray', '│')} ${line}`.trimEnd())

const callLines = (call: Card['callsShown'][number], number: number, page: Page): string[] => [
  ...wrapBehind('  ', `${number}. ${printableLine(call.tool)} → ${printableLine(call.target)}`, page.columns).map(
    (line) => page.paint('bold', line),
  ),
  ...call.arguments.flatMap(({ name, value }) => [`     ${printableLine(name)}:`, ...behindBar(value, page)]),
]

const originLines = (found: Found, page: Page): string[] => [
  `  ${printableLine(found.key || found.source)}${found.external ? page.paint('yellow', ' (external)') : ''}`,
  ...(found.quote ? behindBar(found.quote, page) : []),
]

const kindText: Record<Card['kind'], string> = {
  proposal: '',
  unknown: 'This may have happened already: it was interrupted, and nobody can tell how far it came.',
  confirmWrite: 'This is about a permission: what is allowed stays allowed for exactly these words.',
}

const standing = (card: Card, now: number): string => {
  if (card.state === 'open') return `expires ${localTime(card.expiresAt, now)} (${relativeTime(card.expiresAt, now)})`
  const by = card.answeredBy ? ` by ${printableLine(card.answeredBy)}` : ''
  return `${card.state}${by}, ${when(card.answeredAt, now, 'some time ago')}`
}

const headLines = (card: Card, { paint, now, columns }: Page): string[] => {
  const facts = [card.priority, card.external ? 'external content took part' : '', standing(card, now())]
  const known = printableLine(facts.filter((fact) => fact !== '').join(' · '))
  const id = printableLine(card.id)
  const dotted = `${paint(card.state === 'open' ? 'yellow' : 'gray', '●')} ${id}`
  if (displayWidth(`● ${id}  ${known}`) <= columns) return [`${dotted}  ${paint('gray', known)}`]
  return [dotted, ...wrapBehind('  ', known, columns).map((line) => paint('gray', line))]
}

/** The whole card: what would be done from data first, then what led to it, then the model's words marked as such. */
export const cardLines = (card: Card, page: Page): string[] => {
  const { columns, paint } = page
  const kind = kindText[card.kind]
  const title = (text: string): string => paint('bold', text)
  return [
    ...headLines(card, page),
    ...wrapBehind('  ', `Task: ${printableLine(card.taskTitle ?? card.task)}`, columns),
    ...(kind === '' ? [] : wrapBehind('  ', kind, columns).map((line) => paint('yellow', line))),
    '',
    title('What would be done'),
    ...(card.callsShown.length === 0 ? ['  No single action: a plan in words, see below.'] : []),
    ...card.callsShown.flatMap((call, index) => callLines(call, index + 1, page)),
    '',
    title('What led to it'),
    ...(card.provenance.length === 0 ? ['  Nothing is named.'] : []),
    ...card.provenance.flatMap((found) => originLines(found, page)),
    '',
    title(card.kind === 'confirmWrite' ? 'About it' : "In the model's words"),
    ...behindBar(card.title, page),
    ...(card.summary === '' || card.summary === card.title ? [] : behindBar(card.summary, page)),
    '',
    `Digest ${printableLine(card.digest)}`,
  ]
}

/** A card in short: what would be done to what, and the model's title for it. */
export const cardGist = (card: Card, page: Page): string[] => [
  ...card.callsShown.flatMap(({ tool, target }) =>
    wrapBehind('  ', `${printableLine(tool)} → ${printableLine(target)}`, page.columns),
  ),
  ...(card.kind === 'unknown' ? ['  It may have happened already.'] : []),
  ...wrapBehind(
    '  ',
    `${card.kind === 'confirmWrite' ? '' : 'The model: '}${printableLine(card.title)}`,
    page.columns,
  ).map((line) => page.paint('gray', line)),
]

/** A card as one entry of a list: with its targets, so that it can be answered from there. */
export const cardEntry = (card: Card, page: Page): string[] => [
  ...headLines(card, page),
  ...wrapBehind('  ', printableLine(card.taskTitle ?? card.task), page.columns).map((line) => page.paint('bold', line)),
  ...cardGist(card, page),
]
