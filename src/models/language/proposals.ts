import { z } from 'zod'
import type { Change } from '../../domain/change.ts'
import { Priority, type Proposal, type Provenance, type ToolCall } from '../../domain/escalation.ts'
import type { JSONType } from '../../domain/json.ts'
import { cut } from '../builtin/quote.ts'

const longestTitle = 120
const longestSummary = 300
const mostSeen = 10

interface Said {
  title: string
  summary: string
  priority: string | undefined
  calls: ToolCall[]
  sources: Provenance[]
}

/** A proposal of a model, in the form and the lengths that a card has. */
export function proposalFrom({ title, summary, priority, calls, sources }: Said, changes: readonly Change[]): Proposal {
  const told = Priority.safeParse(priority?.trim().toLowerCase())
  return {
    title: atWord(title, longestTitle),
    summary: atWord(summary, longestSummary),
    priority: told.success ? told.data : 'normal',
    calls,
    provenance: withExternal(sources, changes),
  }
}

/** On one line, and no longer than that: cut behind a word where there is one. */
export function atWord(text: string, longest: number): string {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  if (line.length <= longest) return line
  const beginning = cut(line, longest - 1)
  const end = line[beginning.length] === ' ' ? beginning.length : beginning.lastIndexOf(' ')
  return `${(end > longest / 2 ? beginning.slice(0, end) : beginning).trimEnd()}…`
}

/**
 * What led to a proposal: what its model names, and where that is nothing of others although it was shown such things,
 * those too. A model that was led astray must not be the one to say that nobody led it.
 */
function withExternal(sources: readonly Provenance[], changes: readonly Change[]): Provenance[] {
  if (sources.some(({ external }) => external)) return [...sources]
  const seen = new Map<string, Provenance>()
  for (const { source, key, external } of changes)
    if (external && seen.size < mostSeen) seen.set(`${source}\0${key}`, { source, key, external })
  return [...sources, ...seen.values()]
}

const Arguments = z.record(z.string(), z.json())

/** The calls of a proposal, none unless all of them can be read: half of an action is another action. */
export function callsFrom(given: JSONType | undefined): ToolCall[] {
  const list = Array.isArray(given) ? given : []
  const calls = list.flatMap((entry) => callFrom(entry) ?? [])
  return calls.length === list.length ? calls : []
}

function callFrom(entry: JSONType): ToolCall | undefined {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return undefined
  const { tool, arguments: args } = entry
  const read = Arguments.safeParse(unwrapped(args ?? {}))
  return typeof tool === 'string' && tool.trim() !== '' && read.success
    ? { tool: tool.trim(), arguments: read.data }
    : undefined
}

/** Arguments as an object: models write them as one, as JSON text, or as JSON text of that text. */
function unwrapped(args: JSONType, twice = false): unknown {
  if (typeof args !== 'string') return args
  if (args.trim() === '') return {}
  try {
    const inner = JSON.parse(args) as JSONType
    return twice ? inner : unwrapped(inner, true)
  } catch {
    return undefined
  }
}
