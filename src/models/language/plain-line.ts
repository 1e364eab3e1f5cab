import { fenceLike } from '../../domain/fence.ts'

/** A text on one line, in which nothing looks like the line of a fence. */
export const plainLine = (text: string): string =>
  withoutFences(text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim())

/** A text in which nothing looks like the line of a fence. */
export const withoutFences = (text: string): string => text.replaceAll(fenceLike, '(')
