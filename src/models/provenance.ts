import type { Change } from '../domain/change.ts'
import type { Provenance } from '../domain/escalation.ts'
import type { JSONType } from '../domain/json.ts'
import { cut } from './builtin/quote.ts'

/** Reads what a model gives as its sources, whatever that is; a bad one costs only itself. */
export type SourceReader = (given: JSONType | undefined) => Provenance[]

const mostSources = 20
const longestQuote = 500

/**
 * Reads sources against the changes that a model was shown: one that is none of them is dropped, a quote that does not
 * stand in the lines of its change is left out, and whether a source is external is the changes' to say, never the
 * model's. Without changes sources are taken as they come, as external unless they say that they are not.
 */
export function sourceReader(changes?: readonly Change[]): SourceReader {
  const check = changes === undefined ? asGiven : against(changes)
  return (given) => {
    const list = Array.isArray(given) ? given : [given]
    const sources = new Map<string, Provenance>()
    for (const entry of list) {
      const found = isNamed(entry) ? check(entry) : undefined
      if (found) sources.set(JSON.stringify(found), found)
      if (sources.size === mostSources) break
    }
    return [...sources.values()]
  }
}

interface Named {
  [field: string]: JSONType
  source: string
  key: string
}

const isNamed = (entry: JSONType | undefined): entry is Named =>
  typeof entry === 'object' &&
  entry !== null &&
  !Array.isArray(entry) &&
  typeof entry.source === 'string' &&
  typeof entry.key === 'string'

const quoteIn = ({ quote }: Named): string => (typeof quote === 'string' ? quote.trim() : '')

const asGiven = (named: Named): Provenance => {
  const { source, key, external } = named
  const quote = cut(quoteIn(named), longestQuote)
  return { source, key, ...(quote !== '' && { quote }), external: external !== false }
}

/** Names as a report shows them, on one line. */
const nameOf = (source: string, key: string): string =>
  [source, key].map((part) => part.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()).join('\0')

function against(changes: readonly Change[]): (named: Named) => Provenance | undefined {
  const items = new Map<string, Change[]>()
  for (const change of changes) {
    const name = nameOf(change.source, change.key)
    const rows = items.get(name)
    if (rows) rows.push(change)
    else items.set(name, [change])
  }
  return (named) => {
    const rows = items.get(nameOf(named.source, named.key))
    const first = rows?.[0]
    if (!rows || !first) return undefined
    const quote = standing(quoteIn(named), rows)
    return {
      source: first.source,
      key: first.key,
      ...(quote !== undefined && { quote }),
      external: rows.some(({ external }) => external),
    }
  }
}

/** The quote as it stands in one of the changes, without what models like to put around it; undefined when it stands in none. */
function standing(quote: string, rows: readonly Change[]): string | undefined {
  const texts = rows.flatMap(({ added, removed }) => [added.join('\n'), removed.join('\n')])
  return [quote, withoutSigns(quote), withoutMarks(withoutSigns(quote))]
    .filter((text) => text !== '' && texts.some((lines) => lines.includes(text)))
    .map((text) => cut(text, longestQuote))[0]
}

/** Without the signs that a report puts before the lines of a change. */
const withoutSigns = (text: string): string => text.replaceAll(/^[+-] /gm, '').trim()

const withoutMarks = (text: string): string =>
  text
    .replace(/\s?(?:…|\.\.\.)$/, '')
    .replace(/^["“„«「]([\s\S]*)["”“»」]$/, '$1')
    .trim()
