/** What a server said instead of an answer. Its own message stays fixed: the client reads meaning into messages. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  /** The HTTP status, or the one named inside an answer that was said to be fine; 0 when none was. */
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
  /** The server's own words. */
  readonly words: string
  readonly code: string
  readonly param: string
  readonly isPage: boolean

  constructor(status: number, headers: ReadonlyMap<string, string>, text: string) {
    super('The server refused.')
    const said = saidIn(text)
    this.status = status > 0 ? status : (said.status ?? 0)
    this.headers = headers
    this.text = text
    this.words = said.words
    this.code = said.code
    this.param = said.param
    this.isPage = /^\s*(?:<!doctype|<html|<\?xml|<head|<body)/i.test(text)
  }
}

/** The code of an error that no part of the system gave one: what was answered made no sense. */
export const notOfTheSystem = 'UNKNOWN'

/** No connection came about, or it ended before an answer began. `reason` is no `cause`, for the same reason as above. */
export class NoConnection extends Error {
  override readonly name = 'NoConnection'
  readonly code: string

  constructor(code: string) {
    super('No connection.')
    this.code = code
  }
}

/** An answer that ended, or stopped making sense, before its end. */
export class Broken extends Error {
  override readonly name = 'Broken'
}

interface Said {
  words: string
  code: string
  param: string
  status?: number
}

/** Servers say what is wrong in many shapes: `{ error: { message } }`, `{ error: "…" }`, `{ detail: [{ loc, msg }] }`, text. */
const saidIn = (text: string): Said => {
  const body = parsed(text)
  if (typeof body === 'string') return { words: body, code: '', param: '' }
  const outer = recordOf(Array.isArray(body) ? body[0] : body)
  if (outer === undefined) return { words: withoutMarkup(text), code: '', param: '' }
  const inner = recordOf(outer.error) ?? outer
  const details = detailsOf(outer.detail)
  const words = [
    textOf(inner.message) || textOf(outer.error) || textOf(outer.message) || textOf(outer.detail),
    textOf(recordOf(inner.metadata)?.raw),
    ...details.map(({ message }) => message),
  ]
  const status = [inner.code, inner.status, outer.code, outer.status]
    .map(Number)
    .find((code) => code >= 400 && code < 600)
  const said = words.filter((word) => word !== '').join(' ')
  return {
    words: said === '' ? withoutMarkup(text) : said,
    code: [inner.code, inner.type, inner.status, outer.code].map(textOf).filter(Boolean).join(' '),
    param: [textOf(inner.param), ...details.map(({ place }) => place)].filter(Boolean).join(' '),
    ...(status === undefined ? {} : { status }),
  }
}

const detailsOf = (detail: unknown): { message: string; place: string }[] =>
  (Array.isArray(detail) ? detail.slice(0, 20) : []).map((entry: unknown) => {
    const { msg, loc } = recordOf(entry) ?? {}
    const place = Array.isArray(loc) ? loc.map(String).join('.') : ''
    return { message: `${place}: ${textOf(msg)}`, place }
  })

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const recordOf = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const withoutMarkup = (text: string): string => text.slice(0, 4000).replace(/<[^<>]*>/g, ' ')
