/**
 * Characters that would steer a terminal, turn the direction of text, or carry words that nobody sees to a model: control
 * characters but line ends and tabs, embeddings, overrides and isolates, line separators, tags and the variation
 * selectors that text can be hidden in.
 */
const harmful = /[^\P{Cc}\n\t]|[\u2028\u2029\u202A-\u202E\u2066-\u2069\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}]/gu

/** Text as a tool hands it to a model: as it is, but what would do harm in it stands there by its number, `⟨U+001B⟩`. */
export const readable = (text: string): string => text.replace(/\r\n?/g, '\n').replace(harmful, shown)

/** The same on one line, for names. */
export const readableLine = (text: string): string => readable(text).replace(/[\n\t]/g, shown)

const shown = (character: string): string =>
  `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`
