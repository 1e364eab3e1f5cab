/** Takes two cells: East Asian wide and fullwidth characters, and emoji that are drawn as pictures. */
const wide =
  /^(?:[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE10-\uFE19\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6]|[\u{16FE0}-\u{18DFF}\u{1AFF0}-\u{1B2FF}\u{1F200}-\u{1F2FF}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation})/u
const picture = /^\p{Extended_Pictographic}/u
const pictureSelector = '\uFE0F'
/** Marks, what is invisible, and the later parts of a Hangul syllable. */
const noCells = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}\u1160-\u11FF\uD7B0-\uD7FF]+$/u
const plain = /^[\x20-\x7E]*$/

/** A flag; or a character with its marks and whatever is joined to it. `Intl.Segmenter` takes forever over a long text. */
const grapheme =
  /\p{Regional_Indicator}{2}|.(?:\p{M}|\p{Emoji_Modifier}|[\u1160-\u11FF\uD7B0-\uD7FF]|[\u{E0020}-\u{E007F}]|\u200D\p{Extended_Pictographic})*/gsu

/** What a reader takes for one character, and may not be cut through. */
export const graphemes = (text: string): string[] => (plain.test(text) ? [...text] : (text.match(grapheme) ?? []))

/** Cells of a terminal that one grapheme takes. */
export const cells = (one: string): 0 | 1 | 2 => {
  if (wide.test(one)) return 2
  if (picture.test(one) && one.includes(pictureSelector)) return 2
  return noCells.test(one) ? 0 : 1
}

/** Cells of a terminal that a text without line ends takes. */
export const displayWidth = (text: string): number => {
  if (plain.test(text)) return text.length
  let width = 0
  for (const one of graphemes(text)) width += cells(one)
  return width
}

/** Fills up with spaces to a width in cells; longer text stays as it is. */
export const padTo = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - displayWidth(text)))
