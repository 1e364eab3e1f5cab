/** Who is talked to; `key` is here so that it can be kept out of everything that is told. */
export interface Endpoint {
  address: string
  model: string
  key: string | undefined
}

const longestQuote = 300
/** Much longer, so that no key is cut where it would not be known any more. */
const longestRead = 20_000

/** A server's own words, in quotation marks behind `before`: one line, not long, without the key. '' when it has none. */
export const quoted = (words: string, { key }: Endpoint, before = ' It said: '): string => {
  const line = withoutKey(words.slice(0, longestRead), key)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  if (line === '') return ''
  return `${before}"${line.length <= longestQuote ? line : `${line.slice(0, longestQuote - 1)}…`}".`
}

/**
 * Servers repeat keys, often with a part of them masked: what begins like the key goes too. One of a few letters, as some
 * local servers want, may be part of any word.
 */
const withoutKey = (text: string, key: string | undefined): string => {
  if (key === undefined) return text
  if (key.length < shortestSecret)
    return text.replace(new RegExp(`(?<![A-Za-z0-9])${literally(key)}(?![A-Za-z0-9])`, 'g'), '[key]')
  let clean = text
  for (const form of [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)])
    clean = clean.replaceAll(form, '[key]')
  const beginning = literally(key.slice(0, shortestSecret))
  return clean.replace(new RegExp(String.raw`${beginning}[^\s"',]*`, 'g'), '[key]')
}

const shortestSecret = 8

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
