import type { ChatMessage } from '../../domain/chat.ts'
import { cut } from '../builtin/quote.ts'

/** How many tokens a text is at most; the same count that reports are measured by. */
export type CountTokens = (text: string) => number

/** What the longest of the instructions weighs, and what a provider puts around messages. */
export const instructionTokens = 540
const tokensAroundMessage = 8
const tokensAroundAll = 16
/** A situation report is never made smaller. */
const smallestReport = 1000
/** Below this there is no use in asking. */
const shortestAnswer = 256
const longestText = 2000
const longestAnalysis = 4000

/** What an answer on so many tasks may have: 120 tokens each and 400 over, but never more than two fifths of the context. */
const judgementTokens = (contextTokens: number, tasks: number): number =>
  Math.min(400 + 120 * tasks, Math.floor(contextTokens * 0.4))

/**
 * How many tokens the report of a batch of so many tasks may have under a model that holds `contextTokens`: what remains
 * beside the instructions, the answer on all the tasks, and a twelfth of the context (at most 1,500 tokens) in which a
 * question about wrong items, a step's own words or a schema told in words find room. Never less than the 1,000 tokens
 * that the smallest report has; a context of 2,048 holds that, and all else is fitted around it.
 */
export function reportBudget(contextTokens: number, tasks: number): number {
  const frame = instructionTokens + 2 * tokensAroundMessage + tokensAroundAll
  const spare = Math.min(1500, Math.floor(contextTokens / 12))
  return Math.max(smallestReport, contextTokens - frame - judgementTokens(contextTokens, tasks) - spare)
}

/** How many tasks one answer has room for; a batch of more would be answered in part. */
export const tasksPerCall = (contextTokens: number): number =>
  Math.max(1, Math.floor((contextTokens * 0.4 - 400) / 120))

/** Room in the calls of one model. */
export interface Room {
  /** Tokens of a prompt, from above. */
  promptTokens(messages: readonly ChatMessage[]): number
  /** Tokens of a context that these messages and the shortest answer leave free; none when they leave none. */
  left(messages: readonly ChatMessage[]): number
  /** The text, or as much of its beginning as so many tokens hold. */
  fit(text: string, tokens: number): string
  /** What an answer may have: no more than is left, and no less than makes sense, so that a model that is too small says so. */
  forJudgement(promptTokens: number, tasks: number): number
  forText(promptTokens: number): number
  forAnalysis(promptTokens: number): number
}

export function roomOf(contextTokens: number, countTokens: CountTokens): Room {
  const promptTokens = (messages: readonly ChatMessage[]): number =>
    messages.reduce((sum, { text }) => sum + tokensAroundMessage + countTokens(text), tokensAroundAll)
  const answer = (prompt: number, wanted: number): number =>
    Math.max(shortestAnswer, Math.min(wanted, contextTokens - prompt))
  return {
    promptTokens,
    left: (messages) => Math.max(0, contextTokens - promptTokens(messages) - shortestAnswer),
    fit: (text, tokens) => fitting(text, tokens, countTokens),
    forJudgement: (prompt, tasks) => answer(prompt, judgementTokens(contextTokens, tasks)),
    forText: (prompt) => answer(prompt, longestText),
    forAnalysis: (prompt) => answer(prompt, longestAnalysis),
  }
}

/** A text never counts less than its beginning, so that the longest one that fits can be searched for. */
function fitting(text: string, tokens: number, countTokens: CountTokens): string {
  if (countTokens(text) <= tokens) return text
  let fits = 0
  let tooLong = text.length
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1
    if (countTokens(`${text.slice(0, middle)}…`) <= tokens) fits = middle
    else tooLong = middle
  }
  return fits === 0 ? '' : `${cut(text, fits).trimEnd()}…`
}
