import type { ListItem } from 'mdast'
import { Fault } from '../domain/errors.ts'
import { topLevelItems } from './top-level-items.ts'

/** What a HEARTBEAT.md asks for. */
export interface HeartbeatFile {
  /** One a task, in the file's order, each once, 1 to 500 characters. */
  titles: string[]
  /** True when the file holds anything besides white space; without titles that is worth telling the user. */
  hasText: boolean
}

/** Parsing blocks, for up to 0.2 ms a line and 10 µs a byte; this is room for thousands of tasks. */
const largestFile = 256 * 1024
const mostLines = 10_000
const longestTitle = 500
const deepest = 64

/**
 * Reads HEARTBEAT.md: every top-level list item is a task, unless its box is checked. Nested items belong to their
 * parent's text. Throws a Fault (`heartbeat/unreadable`, `heartbeat/too-large`, `heartbeat/too-deep`) when the file
 * cannot be read; the caller then leaves the tasks as they are.
 */
export const readHeartbeat = (bytes: Uint8Array): HeartbeatFile => {
  if (bytes.byteLength > largestFile)
    throw new Fault(
      'heartbeat/too-large',
      `Cannot read HEARTBEAT.md: it has ${bytes.byteLength} bytes and may have ${largestFile}. Move what is not a task elsewhere.`,
      { bytes: bytes.byteLength, most: largestFile },
    )
  const text = decode(bytes).replace(/\r\n?/g, '\n')
  const lines = text.split('\n')
  if (lines.length > mostLines)
    throw new Fault(
      'heartbeat/too-large',
      `Cannot read HEARTBEAT.md: it has ${lines.length} lines and may have ${mostLines}. Move what is not a task elsewhere.`,
      { lines: lines.length, most: mostLines },
    )
  refuseDeepNesting(lines)
  const titles = new Set<string>()
  for (const { item, text: source } of topLevelItems(text)) {
    const title = cut(textOf(item, source))
    if (title !== '') titles.add(title)
  }
  return { titles: [...titles], hasText: text.trim() !== '' }
}

const decode = (bytes: Uint8Array): string => {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  let text: string
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw unreadable()
  }
  if (text.includes('\0')) throw unreadable()
  return text
}

const unreadable = (): Fault =>
  new Fault('heartbeat/unreadable', 'Cannot read HEARTBEAT.md: it is not text in UTF-8 or UTF-16. Save it as UTF-8.')

/** The parser's time and stack grow with nesting, which one short line can push to thousands of levels. */
const refuseDeepNesting = (lines: string[]): void => {
  lines.forEach((line, index) => {
    const prefix = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/.exec(line)?.[0]
    if (prefix === undefined || /^[ \t]*([-*])(?:[ \t]*\1){2,}[ \t]*$/.test(line)) return
    const indent = prefix.length - prefix.trimStart().length
    const levels = indent / 2 + prefix.split(/>|[-+*]|\d+/).length - 1
    if (levels > deepest)
      throw new Fault(
        'heartbeat/too-deep',
        `Cannot read HEARTBEAT.md: line ${index + 1} is nested more than ${deepest} levels deep. Make it flatter.`,
        { line: index + 1, most: deepest },
      )
  })
}

/** The item's own words and those of its nested items, as they stand in the source; '' when it is checked or has none. */
const textOf = (item: ListItem, source: string): string => {
  if (item.checked === true) return ''
  let text = ''
  for (const child of item.children) {
    if (child.type === 'list') for (const nested of child.children) text = join(text, textOf(nested, source))
    else if (child.type === 'paragraph' || child.type === 'heading') text = join(text, ownText(child, source))
  }
  return text
}

interface Positioned {
  children: {
    position?: { start: { offset?: number | undefined }; end: { offset?: number | undefined } } | undefined
  }[]
}

const ownText = (node: Positioned, source: string): string => {
  const start = node.children[0]?.position?.start.offset
  const end = node.children.at(-1)?.position?.end.offset
  if (start === undefined || end === undefined) return ''
  const text = withoutComments(source.slice(start, Math.min(end, start + 8 * longestTitle)))
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return /^\[[ xX]?\]$/.test(text) ? '' : text
}

/** Takes `<!-- … -->` out, except inside backticks, where it is code. */
const withoutComments = (text: string): string =>
  text.replace(/(`+)[^`][\s\S]*?\1|<!--[\s\S]*?(?:-->|$)/g, (found) => (found.startsWith('<') ? '' : found))

const join = (before: string, after: string): string => {
  if (before === '' || after === '') return before + after
  return `${before}${/[.!?:;,…。！？：；，]$/.test(before) ? '' : ';'} ${after}`
}

/** At most 500 characters, the ellipsis included, and no half character. */
const cut = (title: string): string => {
  if (title.length <= longestTitle) return title
  const kept = title.slice(0, longestTitle - 1)
  return `${kept.replace(/[\uD800-\uDBFF]$/, '').trimEnd()}…`
}
