import type { Reading } from '../domain/world.ts'

/** Advice for the work of sessions, as a review of them came to it. */
export interface Advice {
  text: string
  /** Cycles of its scope for which it holds. */
  expiresAfter: number
}

/** Characters that a directive may have; what is longer is cut at a word. */
export const longestDirective = 900
/** Cycles for which a directive holds where it does not say, and for which it may hold. */
export const usualExpiry = 20
export const longestExpiry = 200

/** Of an answer more is not looked at: a directive stands in its first lines, and some models write without an end. */
const mostRead = 20_000

const mark = /^[\s>*_`#-]{0,20}steering[_ ]directive[*_`]{0,3}\s{0,5}[:：][*_`]{0,3}/i
const expiry = /^[\s>*_`#-]{0,20}expires[_ ]after[_ ]cycles[*_`]{0,3}\s{0,5}[:：=](.*)$/i
const none = /^[\s"'“”‘’`*_([<]{0,10}none[\s"'“”‘’`*_)\]>.!。]{0,10}$/i
const codeFence = /^\s{0,3}(?:```|~~~)\w{0,20}\s*$/

/**
 * Reads what a review answered: `STEERING_DIRECTIVE: <text>`, which may span lines, and `expires_after_cycles: <number>`
 * on a line of its own before or after it. `NONE` in any case declines, alone or in place of the text. The first
 * directive counts. An expiry above 200 is 200; 0, less, and what is no whole number are the usual 20.
 */
export function readSteering(answer: string): Reading {
  const lines = answer.slice(0, mostRead).split(/\r\n?|\n|\u2028|\u2029/)
  const at = lines.findIndex((line) => mark.test(line))
  if (at < 0) {
    const said = lines.filter((line) => line.trim() !== '' && !codeFence.test(line) && !expiry.test(line))
    return said.length > 0 && none.test(said.join(' '))
      ? { kind: 'declined' }
      : { kind: 'broken', problem: 'It has no line that begins with STEERING_DIRECTIVE:, and is not NONE.' }
  }
  const rest = lines.slice(at + 1)
  const end = rest.findIndex((line) => mark.test(line) || expiry.test(line) || codeFence.test(line))
  const text = plain([lines[at]!.replace(mark, ''), ...(end < 0 ? rest : rest.slice(0, end))].join('\n'))
  if (none.test(text)) return { kind: 'declined' }
  if (text === '') return { kind: 'broken', problem: 'Nothing stands behind STEERING_DIRECTIVE:.' }
  const told = lines.map((line) => expiry.exec(line)?.[1]).find((value) => value !== undefined)
  const advice: Advice = { text: cutAtWord(text, longestDirective), expiresAfter: expiryOf(told) }
  return { kind: 'answer', answer: { ...advice } }
}

/** What was read, where it went through a row since. */
export const adviceOf = (answer: unknown): Advice | null =>
  typeof answer === 'object' &&
  answer !== null &&
  'text' in answer &&
  typeof answer.text === 'string' &&
  'expiresAfter' in answer &&
  typeof answer.expiresAfter === 'number'
    ? { text: answer.text, expiresAfter: answer.expiresAfter }
    : null

/** Without characters that steer a screen or hide, and without empty space around it. */
const plain = (text: string): string =>
  text
    .replace(/[^\P{C}\n\t]/gu, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

function expiryOf(told: string | undefined): number {
  const number = /^\s*[*_`"']{0,3}\s*\+?(\d{1,400})\s*(?:cycles?)?\s*[*_`"'.]{0,3}\s*$/i.exec(told ?? '')?.[1]
  const cycles = number === undefined ? 0 : Number(number)
  return cycles >= 1 ? Math.min(cycles, longestExpiry) : usualExpiry
}

/** A text of at most so many characters, ended behind a word where one ends in its last third, and never within a character. */
export function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text
  const room = text.slice(0, most - 1)
  const kept = /\s/.test(text[most - 1]!) ? room : room.slice(0, Math.max(room.search(/\s\S*$/), 0))
  const cut = kept.trimEnd().length > (most * 2) / 3 ? kept : room
  return `${cut.replace(/[\uD800-\uDBFF]$/, '').trimEnd()}…`
}
