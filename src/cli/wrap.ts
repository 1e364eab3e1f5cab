import { cells, displayWidth, graphemes } from './width.ts'

const narrowest = 10

/** Pieces between which a line may be broken: words with the spaces before them, and wide characters each for itself. */
const pieces = (line: string): string[] => {
  const found: string[] = []
  let piece = ''
  for (const grapheme of graphemes(line)) {
    const breaksBefore = cells(grapheme) === 2 || (grapheme === ' ' && !/^ *$/.test(piece))
    if (breaksBefore && piece !== '') {
      found.push(piece)
      piece = ''
    }
    piece += grapheme
    if (cells(grapheme) === 2) {
      found.push(piece)
      piece = ''
    }
  }
  return piece === '' ? found : [...found, piece]
}

/** A word that is wider than a line, in parts that fit. */
const chopped = (word: string, width: number): string[] => {
  const parts: string[] = []
  let part = ''
  let taken = 0
  for (const grapheme of graphemes(word)) {
    const more = cells(grapheme)
    if (taken + more > width && part !== '') {
      parts.push(part)
      part = ''
      taken = 0
    }
    part += grapheme
    taken += more
  }
  return [...parts, part]
}

const wrapLine = (line: string, width: number): string[] => {
  if (displayWidth(line) <= width) return [line]
  const lines: string[] = []
  let current = ''
  let taken = 0
  for (const piece of pieces(line)) {
    const size = displayWidth(piece)
    if (taken + size <= width) {
      current += piece
      taken += size
      continue
    }
    if (current.trim() !== '') lines.push(current)
    const parts = chopped(current === '' ? piece : piece.trimStart(), width)
    lines.push(...parts.slice(0, -1))
    current = parts.at(-1) ?? ''
    taken = displayWidth(current)
  }
  return current.trim() === '' ? lines : [...lines, current]
}

/** Breaks text into lines of at most `width` cells, counting wide characters. Unstyled text only: styles are put on lines. */
export const wrap = (text: string, width: number): string[] => {
  const lines = text.split('\n')
  return Number.isFinite(width) ? lines.flatMap((line) => wrapLine(line, Math.max(narrowest, width))) : lines
}

/** Wrapped text, each line behind an indent. */
export const wrapBehind = (indent: string, text: string, width: number): string[] =>
  wrap(text, width - displayWidth(indent)).map((line) => indent + line)
