import { grainsPerToken, weigh } from './tokens.ts'

/** Weight of a line of a text, its line end included. */
export const weighLine = (line: string): number => weigh(line) + grainsPerToken

const ellipsis = ' …'

/**
 * A text, or its beginning where all of it is heavier than `room` grains: up to the end of a sentence, else of a word,
 * with an ellipsis. Empty when not even that fits.
 */
export function cutText(text: string, room: number): string {
  if (weigh(text) <= room) return text
  const most = longestBeginning(text, room - weigh(ellipsis))
  if (most === 0) return ''
  const beginning = text.slice(0, most)
  const half = most / 2
  const sentence = endOfSentence(beginning)
  const word = beginning.search(/\s\S*$/)
  const end = sentence > half ? sentence : word > half ? word : most
  return `${wellFormed(beginning.slice(0, end)).trimEnd()}${ellipsis}`
}

function longestBeginning(text: string, room: number): number {
  let fits = 0
  let tooLong = text.length
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1
    if (weigh(text.slice(0, middle)) <= room) fits = middle
    else tooLong = middle
  }
  return fits
}

function endOfSentence(text: string): number {
  let end = -1
  for (const { index } of text.matchAll(/[.!?](?=\s)|[。！？\n]/g)) end = index + 1
  return end
}

/** Without half a character at its end. */
const wellFormed = (text: string): string => (/[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text)

/** A text on one line, with no character that ends a line or steers a screen, at most so many characters long. */
export function oneLine(text: string, most = 500): string {
  if (text.length <= most && isPlainLine.test(text)) return text
  const line = text
    .slice(0, most * 2)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  return line.length > most ? `${wellFormed(line.slice(0, most - 1))}…` : line
}

const isPlainLine = /^(?:[!-~] ?)*(?<! )$/
