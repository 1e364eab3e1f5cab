import type { ListItem, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { Fault } from '../domain/errors.ts'

/** A list item of the document itself (not of a quote, a footnote or another item) and the text its positions count in. */
export interface TopLevelItem {
  item: ListItem
  text: string
}

const windowLines = 64
const longestBlock = 2048

/** Only the block structure is wanted: without inline constructs a hostile line costs no more than its length. */
const options = {
  extensions: [
    gfm(),
    {
      disable: {
        null: [
          'attention',
          'autolink',
          'characterEscape',
          'characterReference',
          'codeText',
          'emailAutolink',
          'gfmFootnoteCall',
          'gfmPotentialFootnoteCall',
          'hardBreakEscape',
          'htmlText',
          'labelEnd',
          'labelStartImage',
          'labelStartLink',
          'protocolAutolink',
          'strikethrough',
          'wwwAutolink',
        ],
      },
    },
  ],
  mdastExtensions: [gfmFromMarkdown()],
}

/**
 * Yields the top-level list items of a Markdown document, whose lines must end in `\n`. The parser's time grows with
 * the square of a list's length, so the document is read through a window: a block that has ended is never looked back
 * at, hence all but the last block (or the last item) of a window are final, and the next window starts with that one.
 */
export function* topLevelItems(document: string): Generator<TopLevelItem> {
  let start = 0
  let lines = windowLines
  while (start < document.length) {
    const end = afterLines(document, start, lines)
    const text = document.slice(start, end)
    const blocks = fromMarkdown(text, options).children
    const open = end < document.length ? openPart(blocks) : undefined
    const next = open === undefined ? text.length : text.lastIndexOf('\n', offsetOf(open)) + 1
    if (next === 0) {
      lines *= 2
      if (lines > longestBlock)
        throw new Fault(
          'heartbeat/too-large',
          `Cannot read HEARTBEAT.md: one block of it is longer than ${longestBlock} lines. Make it shorter.`,
          { lines: longestBlock },
        )
      continue
    }
    for (const block of blocks)
      if (block.type === 'list')
        for (const item of block.children) if (item !== open && block !== open) yield { item, text }
    start += next
    lines = windowLines
  }
}

/** The part of a window that may go on beyond it. */
const openPart = (blocks: RootContent[]): RootContent | ListItem | undefined => {
  const last = blocks.at(-1)
  return last?.type === 'list' ? last.children.at(-1) : last
}

const offsetOf = (node: RootContent | ListItem): number => node.position?.start.offset ?? 0

const afterLines = (text: string, start: number, lines: number): number => {
  let at = start
  for (let line = 0; line < lines; line++) {
    const end = text.indexOf('\n', at)
    if (end === -1) return text.length
    at = end + 1
  }
  return at
}
