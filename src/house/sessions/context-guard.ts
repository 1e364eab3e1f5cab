import type { CycleSummary, SessionMemory, SessionMessage, WorldDiff } from '../../domain/session.ts'
import { countTokens } from '../../memory/tokens.ts'
import { inbound } from './inbound.ts'

export interface Load {
  /** Tokens that the core's window holds. */
  window: number
  /** Messages that prompts look back on. */
  messages: readonly SessionMessage[]
  /** Tokens of the last cycle's work. */
  trace: number
  /** Oldest first. */
  summaries: readonly CycleSummary[]
}

/** Counted from the newest on, until the window is full: more makes no difference. */
function transcriptTokens({ messages, window }: Load): number {
  let sum = 0
  for (const { body, role } of [...messages].reverse()) {
    if (sum > window) break
    sum += countTokens(role === 'user' ? inbound(body).text : body)
  }
  return sum
}

const tokensOf = (summaries: readonly CycleSummary[]): number => summaries.reduce((sum, { tokens }) => sum + tokens, 0)

/** The part of the window that a session fills. */
export const utilizationOf = (load: Load): number =>
  (transcriptTokens(load) + load.trace + tokensOf(load.summaries)) / load.window

/** The oldest summaries that have to leave for the session to be below the mark again, and what it fills then. */
export function toEvict(load: Load, mark: number): { leaving: CycleSummary[]; utilization: number } {
  const fixed = transcriptTokens(load) + load.trace
  const staying = [...load.summaries]
  const leaving: CycleSummary[] = []
  const filled = () => (fixed + tokensOf(staying)) / load.window
  while (staying.length > 0 && filled() >= mark) leaving.push(staying.shift()!)
  return { leaving, utilization: filled() }
}

export const memoryOfSummary = ({ cycle, session, agent, summary, at }: CycleSummary): SessionMemory => ({
  id: `summary:${cycle}`,
  session,
  agent,
  kind: 'summary',
  text: summary,
  at,
})

export const memoryOfDiff = ({ cycle, session, agent, signature, change, delta, at }: WorldDiff): SessionMemory => ({
  id: `worldDiff:${cycle}`,
  session,
  agent,
  kind: 'worldDiff',
  text: [signature, change, delta].join('\n'),
  at,
})
