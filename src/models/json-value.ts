import type { JSONType } from '../domain/json.ts'
import { atOnce, type Steps } from '../domain/steps.ts'

export type JSONObject = { [key: string]: JSONType }

/** A JSON value that begins at some place of a longer text, as far as it could be read. */
export interface JSONRead {
  value: JSONObject | JSONType[]
  /** Where reading stopped: behind the value, or at what is not JSON. */
  end: number
  /** The objects and arrays that were not closed; empty when the value is complete. */
  open: readonly JSONType[]
  /** Where the last object or array inside it was closed; `start` when none was. */
  closed: number
}

/** How many keys, values and brackets are read in a step. */
const piecesPerStep = 1000

/** Deeper values are given up on; no answer needs them. */
const deepest = 100

/**
 * Reads the object or array that begins at `start`. What was complete before the text ended or stopped being JSON is
 * kept. One pass, no recursion, no part is read twice. A comma before a closing bracket is let pass.
 */
export const readJSON = (text: string, start: number): JSONRead => atOnce(readingJSON(text, start))

/** The same in steps. */
export function* readingJSON(text: string, start: number): Steps<JSONRead> {
  const stack = [containerFor(text[start])]
  const value = stack[0]!
  let key = ''
  let at = start + 1
  let closed = start
  let need: 'element' | 'value' | 'key' | 'comma' = Array.isArray(value) ? 'element' : 'key'

  const attach = (child: JSONType) => {
    const parent = stack.at(-1)!
    if (Array.isArray(parent)) parent.push(child)
    else parent[key] = child
  }

  for (let piece = 1; ; piece++) {
    if (piece % piecesPerStep === 0) yield
    at = skipSpace(text, at)
    const character = text[at]
    const container = stack.at(-1)!
    if (character === undefined) break
    if (need !== 'value' && character === (Array.isArray(container) ? ']' : '}')) {
      stack.pop()
      at++
      closed = at
      if (stack.length === 0) break
      need = 'comma'
    } else if (need === 'comma') {
      if (character !== ',') break
      at++
      need = Array.isArray(container) ? 'element' : 'key'
    } else if (need === 'key') {
      const name = readScalar(text, at)
      at = name.end
      if (typeof name.value !== 'string') break
      key = name.value
      at = skipSpace(text, at)
      if (text[at] !== ':') break
      at++
      need = 'value'
    } else if (character === '{' || character === '[') {
      if (stack.length === deepest) break
      const child = containerFor(character)
      attach(child)
      stack.push(child)
      at++
      need = Array.isArray(child) ? 'element' : 'key'
    } else {
      const scalar = readScalar(text, at)
      at = scalar.end
      if (scalar.value === undefined) break
      attach(scalar.value)
      need = 'comma'
    }
  }
  return { value, end: at, open: stack, closed }
}

/** Objects have no prototype, so that no key of an answer can reach one. */
const containerFor = (bracket: string | undefined): JSONObject | JSONType[] =>
  bracket === '[' ? [] : (Object.create(null) as JSONObject)

const skipSpace = (text: string, from: number): number => {
  let at = from
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++
  return at
}

const literal = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** A string, number, `true`, `false` or `null`; without a value, `end` is where it stops being one. */
export const readScalar = (text: string, start: number): { value?: JSONType; end: number } => {
  if (text[start] === '"') return readString(text, start)
  literal.lastIndex = start
  const found = literal.exec(text)?.[0]
  return found === undefined ? { end: start } : { value: JSON.parse(found) as JSONType, end: start + found.length }
}

const readString = (text: string, start: number): { value?: string; end: number } => {
  let at = start + 1
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) break
    if (code < 0x20) return { end: at }
    if (code === 0x5c) at++
  }
  if (at >= text.length) return { end: text.length }
  try {
    return { value: JSON.parse(text.slice(start, at + 1)) as string, end: at + 1 }
  } catch {
    return { end: at + 1 }
  }
}
