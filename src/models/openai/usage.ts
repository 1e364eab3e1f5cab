import type { Usage } from '../../domain/model.ts'

export type PartUsage = Partial<Usage>

/** Characters that a token has, at the least, in most languages written with letters. */
const charsPerToken = 3.6

/** What a piece of an answer says about tokens, where it says so; Groq has it in a field of its own. */
export const usageOf = (chunk: Record<string, unknown>): PartUsage => {
  const own = chunk.usage ?? (isRecord(chunk.x_groq) ? chunk.x_groq.usage : undefined)
  if (!isRecord(own)) return {}
  const promptTokens = countIn(own.prompt_tokens)
  const completionTokens = countIn(own.completion_tokens)
  return {
    ...(promptTokens === undefined ? {} : { promptTokens }),
    ...(completionTokens === undefined ? {} : { completionTokens }),
  }
}

/** What the server counted, else an estimate from the lengths in characters. What is not empty is never free of tokens. */
export const countedUsage = (told: PartUsage, chars: { prompt: number; answer: number }): Usage => ({
  promptTokens: told.promptTokens || estimate(chars.prompt),
  completionTokens: told.completionTokens || estimate(chars.answer),
})

export const bothUsages = (a: Usage, b: Usage): Usage => ({
  promptTokens: a.promptTokens + b.promptTokens,
  completionTokens: a.completionTokens + b.completionTokens,
})

const estimate = (chars: number): number => Math.ceil(chars / charsPerToken)

const countIn = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
