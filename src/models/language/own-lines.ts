/** A line of a text, and whether the text says it itself. */
export interface TextLine {
  text: string
  /** False in a quotation, in a fence of data, in an indented block. */
  own: boolean
  /** Number of the code fence that the line stands in, 0 outside of any. */
  block: number
  /** True of the lines that open and close a code fence. */
  isFence: boolean
}

const dataOpen = /^\s*<(?:fenced[-\w]*|blockquote|quote)\b/i
const dataClose = /<\/(?:fenced[-\w]*|blockquote|quote)\s*>/i
const codeFence = /^ {0,3}(?<fence>`{3,}|~{3,})(?<info>[^`]*)$/
const ownLanguages = ['', 'text', 'txt', 'plaintext', 'markdown', 'md']
const quoted = /^\s*(?:>|＞|[|│]\s?>)/

/**
 * The lines of a model's text. A code fence may be its way of dressing what it says: one that begins the text, or that
 * does not follow words which announce a quotation ("The mail says:"). All others are data.
 */
export function ownLines(text: string): TextLine[] {
  const lines: TextLine[] = []
  let data = false
  let fence: { mark: string; block: number; own: boolean } | undefined
  let blocks = 0
  let marks = 0
  for (const line of text.split(/\r\n?|\n/)) {
    if (line.trim() === '') marks = 0
    const code = codeFence.exec(line)?.groups
    const language = code?.info?.trim().toLowerCase() ?? ''
    if (data) {
      data = !dataClose.test(line)
      lines.push({ text: line, own: false, block: fence?.block ?? 0, isFence: false })
    } else if (fence) {
      const closes = code?.fence?.startsWith(fence.mark) === true && language === ''
      data = !closes && dataOpen.test(line) && !dataClose.test(line)
      const own = fence.own && !closes && !data && !dataOpen.test(line) && !quoted.test(line)
      lines.push({ text: line, own, block: fence.block, isFence: closes })
      if (closes) fence = undefined
    } else if (code?.fence) {
      blocks += 1
      const own = ownLanguages.includes(language) && !announces(lines)
      fence = { mark: code.fence, block: blocks, own }
      lines.push({ text: line, own: false, block: blocks, isFence: true })
    } else {
      const opens = dataOpen.test(line)
      data = opens && !dataClose.test(line)
      const own = !opens && !quoted.test(line) && !/^(?: {4}|\t)/.test(line) && marks % 2 === 0
      lines.push({ text: line, own, block: 0, isFence: false })
    }
    marks += quotationMarks(line)
  }
  return lines
}

/** Whether the last words before a fence say that what follows was said by somebody else. */
const announces = (lines: readonly TextLine[]): boolean => {
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const text = lines[at]!.text.trimEnd()
    if (text !== '') return /[:：]\s{0,3}[*_]{0,3}$/.test(text)
  }
  return false
}

/** An odd number of these in a paragraph leaves a quotation open. */
const quotationMarks = (line: string): number => line.match(/["“”„«»「」『』]/g)?.length ?? 0
