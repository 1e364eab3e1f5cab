/** Scripts in which a zero-width joiner or non-joiner changes how a word is written, and so belongs to it. */
const joining =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}' +
  '\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}'

/** Invisible, but part of ordinary writing: joined emoji, joining scripts, one variation selector after its base. */
const ordinary = [
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\uFE0F?)\\u200D(?=\\p{Extended_Pictographic})',
  `(?<=[${joining}])[\\u200C\\u200D](?=[${joining}])`,
  '(?<=[\\p{L}\\p{N}\\p{P}\\p{S}])[\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]',
].join('|')

/** What steers a terminal, turns text round, or takes no room in it. */
const hidden = '[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\uFFF9-\\uFFFB]'

/**
 * Makes a function that shows text from the world: every character that would hide, reorder or overwrite what is shown
 * stands there by its number, U+202E as `⟨U+202E⟩`. `spacing` is the pattern of line ends and tabs that stay.
 */
export const visibleWith = (spacing: string): ((text: string) => string) => {
  const pattern = new RegExp(`(${ordinary}|${spacing})|${hidden}`, 'gu')
  return (text) => text.replace(pattern, (character, kept: string | undefined) => kept ?? `⟨U+${numberOf(character)}⟩`)
}

const numberOf = (character: string): string =>
  (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
