import type { JSONType } from '../../domain/json.ts'
import { maskSecrets } from '../../memory/secrets.ts'

const longestText = 2000
/** More of a text is not even looked at. */
const mostLookedAt = 20_000
const mostEntries = 100
const deepest = 12
/** Characters of all texts and names of a value together. */
const mostInAll = 100_000

/** Shows values: secrets masked, long texts and lists cut, and said where something was. */
export type Show = (value: unknown) => JSONType

/** Shows values that together hold no more characters than `most`. */
export function showing(most = mostInAll): Show {
  const all = new Showing(most)
  return (value) => all.of(value, null, 0)
}

/** Shows one value. */
export const shown: Show = (value) => showing()(value)

/** The same of JSON in a row; what cannot be read is shown as the text it is. */
export function shownJson(text: string | null): JSONType {
  if (text === null) return null
  try {
    return shown(JSON.parse(text))
  } catch {
    return shown(text)
  }
}

class Showing {
  #left: number

  constructor(most: number) {
    this.#left = most
  }

  of(value: unknown, name: string | null, depth: number): JSONType {
    if (typeof value === 'string') return this.#text(value, name)
    if (typeof value === 'number') return Number.isFinite(value) ? value : null
    if (typeof value === 'boolean') return value
    if (typeof value !== 'object' || value === null) return null
    if (depth >= deepest || this.#left <= 0) return '…'
    return Array.isArray(value) ? this.#list(value, name, depth) : this.#object(value, depth)
  }

  #list(value: readonly unknown[], name: string | null, depth: number): JSONType[] {
    const some = value.slice(0, mostEntries).map((one) => this.of(one, name, depth + 1))
    return value.length > mostEntries ? [...some, `… ${value.length - mostEntries} more`] : some
  }

  #object(value: object, depth: number): JSONType {
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
    const some = entries.slice(0, mostEntries).map(([name, inner]) => {
      this.#left -= name.length
      return [this.#masked(name).slice(0, longestText), this.of(inner, name, depth + 1)] as const
    })
    if (entries.length > mostEntries) some.push(['…', `${entries.length - mostEntries} more`])
    return Object.fromEntries(some)
  }

  #text(text: string, name: string | null): string {
    const masked = this.#masked(text, name)
    const room = Math.max(0, Math.min(longestText, this.#left))
    this.#left -= Math.min(masked.length, room)
    if (masked.length <= room && text.length <= mostLookedAt) return masked
    return `${masked.slice(0, room)}… (${text.length} characters)`
  }

  /** What a value is called may be all that tells that it is a secret. */
  #masked(text: string, name: string | null = null): string {
    const looked = text.slice(0, mostLookedAt)
    if (name === null || looked.includes('\n')) return maskSecrets(looked)
    const before = `${name}=`
    const line = maskSecrets(`${before}${looked}`)
    return line.startsWith(before) ? line.slice(before.length) : maskSecrets(looked)
  }
}
