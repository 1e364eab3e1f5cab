import type { ToolCall } from '../rpc/methods.ts'

/** One argument of one call, as text that can be edited. */
export interface Draft {
  call: number
  name: string
  text: string
  /** Set where it is not text: then its JSON is edited. */
  isJson: boolean
}

export const draftsOf = (calls: readonly ToolCall[]): Draft[] =>
  calls.flatMap(({ arguments: given }, call) =>
    Object.entries(given).map(([name, value]) =>
      typeof value === 'string'
        ? { call, name, text: value, isJson: false }
        : { call, name, text: JSON.stringify(value, undefined, 2), isJson: true },
    ),
  )

export function isWellFormed({ text, isJson }: Draft): boolean {
  if (!isJson) return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The calls with the arguments as they were edited. */
export const callsOf = (calls: readonly ToolCall[], drafts: readonly Draft[]): ToolCall[] =>
  calls.map(({ tool }, index) => ({
    tool,
    arguments: Object.fromEntries(
      drafts
        .filter(({ call }) => call === index)
        .map(({ name, text, isJson }) => [name, isJson ? (JSON.parse(text) as ToolCall['arguments'][string]) : text]),
    ),
  }))
