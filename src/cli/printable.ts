/** Scripts in which a zero-width joiner or non-joiner changes how a word is written, and so belongs to it. */
const joining =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}' +
  '\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}'

/** Invisible, but part of ordinary writing: joined emoji, joining scripts, one variation selector after its base. */
const ordinary = [
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\uFE0F?)\\u200D(?=\\p{Extended_Pictographic})',
  `(?<=[${joining}])[\\u200C\\u200D](?=[${joining}])`,
  '(?<=[\\p{L}\\p{N}\\p{P}\\p{S}])[\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]',
  '\\r?\\n',
].join('|')

/** What steers a terminal, turns text round, or takes no room in it. */
const hidden = '[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\uFFF9-\\uFFFB]'

const pattern = new RegExp(`(${ordinary})|\\t|${hidden}`, 'gu')

const number = (character: string): string =>
  (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')

/**
 * Text from the world as it may be written to a terminal: what would steer the terminal, or hide or reorder what is shown,
 * stands there by its number, U+001B as `⟨U+001B⟩`. Line ends stay, a tab becomes two spaces.
 */
export const printable = (text: string): string =>
  text.replace(pattern, (character, kept: string | undefined) => {
    if (kept !== undefined) return kept === '\r\n' ? '\n' : kept
    return character === '\t' ? '  ' : `⟨U+${number(character)}⟩`
  })

/** The same on one line: a title or a path must not look like two entries. */
export const printableLine = (text: string): string => printable(text).replace(/\s*\n\s*/g, ' ⏎ ')

const unsafeInJson = /[\u007F-\u009F\u2028\u2029\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('')

/** JSON that means the same and can be shown in a terminal: nothing in it steers or reorders. */
export const printableJson = (value: unknown, spaces?: number): string =>
  (JSON.stringify(value, undefined, spaces) ?? 'null').replace(unsafeInJson, escaped)
