import { visibleWith } from '../domain/visible.ts'

const shown = visibleWith('\\r?\\n|\\t')

/**
 * Text from the world as it may be written to a terminal: what would steer the terminal, or hide or reorder what is shown,
 * stands there by its number, U+001B as `⟨U+001B⟩`. Line ends stay, a tab becomes two spaces.
 */
export const printable = (text: string): string => shown(text).replaceAll('\r\n', '\n').replaceAll('\t', '  ')

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
