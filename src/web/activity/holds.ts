import type { Row } from '../rpc/methods.ts'

/** What there is to find in a row, in small letters; made once, since a long log is looked through with every letter typed. */
const found = new WeakMap<Row, string>()

/** Whether a row has these words somewhere; they are in small letters. */
export const holds = (row: Row, words: string): boolean => textOf(row).includes(words)

function textOf(row: Row): string {
  const known = found.get(row)
  if (known !== undefined) return known
  const { title, text, reason, failure } = row
  const made = [title, text, reason, failure?.message].join('\n').toLowerCase()
  found.set(row, made)
  return made
}
