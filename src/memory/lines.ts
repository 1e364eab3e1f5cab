import { Buffer } from 'node:buffer'
import { withoutCommonEnds } from './common-ends.ts'
import { diffLists } from './line-diff.ts'

export interface ChangedLines {
  /** Lines as they stand in the text, without the line end. */
  added: string[]
  removed: string[]
  /** Lines left out because the change is larger than a row may be. */
  omitted: number
}

const mostLines = 400
const mostBytes = 64 * 1024
/** What removed lines may have of both, one part in so many, even when added ones alone would fill everything. */
const removedPart = 4
/** With more lines than these between the first and the last difference, they are not compared one by one. */
const mostCompared = 40_000

/**
 * What changed from one text to another, line by line; without a text before, every line is new. Line ends are no part
 * of a line: a text that only changes those has not changed. At most 400 lines and 64 KiB are kept, from the first on; a
 * line of more than half of that is passed over.
 */
export function changedLines(before: string | null, after: string): ChangedLines {
  const [was, is] = withoutCommonEnds(withPlainLineEnds(before ?? ''), withPlainLineEnds(after))
  const lines = countLines(was) + countLines(is)
  if (lines > mostCompared || was === '' || is === '') return fitting(firstLines(was), firstLines(is), lines)
  const { added, removed, reordered } = diffLists(linesOf(was), linesOf(is))
  return fitting(removed, added, removed.length + added.length + reordered)
}

const withPlainLineEnds = (text: string): string => (text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text)

const linesOf = (text: string, most?: number): string[] => (text === '' ? [] : text.slice(0, -1).split('\n', most))

const firstLines = (text: string): string[] => linesOf(text, mostLines * 2)

function countLines(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

/** The first lines that a row may hold, of `total` there are. */
function fitting(removed: string[], added: string[], total: number): ChangedLines {
  const assured = take(removed, mostLines / removedPart, mostBytes / removedPart)
  const news = take(added, mostLines - assured.lines.length, mostBytes - assured.bytes)
  const olds = take(removed, mostLines - news.lines.length, mostBytes - news.bytes)
  return { added: news.lines, removed: olds.lines, omitted: total - news.lines.length - olds.lines.length }
}

function take(lines: string[], most: number, mostOfBytes: number): { lines: string[]; bytes: number } {
  const taken: string[] = []
  let bytes = 0
  for (const line of lines) {
    const size = Buffer.byteLength(line) + 1
    if (size > mostBytes / 2) continue
    if (taken.length === most || bytes + size > mostOfBytes) break
    taken.push(line)
    bytes += size
  }
  return { lines: taken, bytes }
}
