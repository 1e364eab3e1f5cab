const longest = 200
const linesLookedAt = 200

/** One line without control characters, short enough to show. */
export const oneLine = (text: string): string =>
  text
    .slice(0, 4 * longest)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, longest)
    // Half of a letter that the cut went through.
    .replace(/[\uD800-\uDBFF]$/, '')

const hashes = /^ {0,3}#{1,6}[ \t]+(.*)$/
const underline = /^ {0,3}(=+|-+)[ \t]*$/
const fence = /^ {0,3}(`{3,}|~{3,})/

const firstLines = (text: string): string[] => text.slice(0, 65_536).split('\n', linesLookedAt)

/** Where the text begins after front matter, if there is any. */
const afterFrontMatter = (lines: string[]): number => {
  if (lines[0]?.trimEnd() !== '---') return 0
  const end = lines.findIndex((line, at) => at > 0 && /^(---|\.\.\.)\s*$/.test(line))
  return end === -1 ? 0 : end + 1
}

/** The first heading of a Markdown text, or null. Headings in fenced code do not count. */
export const firstHeading = (text: string): string | null => {
  const lines = firstLines(text)
  let fenced: string | null = null
  for (let at = afterFrontMatter(lines); at < lines.length; at++) {
    const line = lines[at] ?? ''
    const mark = fence.exec(line)?.[1]
    if (fenced !== null) {
      if (mark?.startsWith(fenced)) fenced = null
      continue
    }
    if (mark !== undefined) {
      fenced = mark
      continue
    }
    const heading = hashes.exec(line)?.[1]?.replace(/(^|[ \t])#+[ \t]*$/, '')
    const underlined =
      line.trim() !== '' && !/^\s*[-*+>]/.test(line) && underline.test(lines[at + 1] ?? '') ? line : null
    const title = oneLine(heading ?? underlined ?? '')
    if (title !== '') return title
  }
  return null
}
