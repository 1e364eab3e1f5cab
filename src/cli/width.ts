/** Takes two cells: East Asian wide and fullwidth characters, and emoji that are drawn as pictures. */
const wide =
  /^(?:[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE10-\uFE19\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6]|[\u{16FE0}-\u{18DFF}\u{1AFF0}-\u{1B2FF}\u{1F200}-\u{1F2FF}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation})/u
const picture = /^\p{Extended_Pictographic}/u
const pictureSelector = '\uFE0F'
const noCells = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u
const plain = /^[\x20-\x7E]*$/

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** What a reader takes for one character, and may not be cut through. */
export const graphemes = (text: string): string[] =>
  plain.test(text) ? [...text] : Array.from(segmenter.segment(text), ({ segment }) => segment)

/** Cells of a terminal that one grapheme takes. */
export const cells = (grapheme: string): 0 | 1 | 2 => {
  if (wide.test(grapheme)) return 2
  if (picture.test(grapheme) && grapheme.includes(pictureSelector)) return 2
  return noCells.test(grapheme) ? 0 : 1
}

/** Cells of a terminal that a text without line ends takes. */
export const displayWidth = (text: string): number => {
  if (plain.test(text)) return text.length
  let width = 0
  for (const grapheme of graphemes(text)) width += cells(grapheme)
  return width
}

/** Fills up with spaces to a width in cells; longer text stays as it is. */
export const padTo = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - displayWidth(text)))
