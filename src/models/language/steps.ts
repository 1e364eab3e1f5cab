import type { ChatMessage, ChatRequest } from '../../domain/chat.ts'
import type { StepRequest } from '../../domain/model.ts'
import type { Room } from './budget.ts'
import { analysisInstructions, textInstructions } from './instructions.ts'
import { analysisSchema, textSchema } from './schemas.ts'
import { fitCharacters, type Shorten, stepWords } from './step-words.ts'

/** A call for the text of one task. */
export function textRequest(step: StepRequest, room: Room): ChatRequest {
  const messages = stepMessages(textInstructions, step, room)
  const promptTokens = room.promptTokens(messages)
  return { messages, schema: textSchema(step.report.changes), promptTokens, maxTokens: room.forText(promptTokens) }
}

/** A call for a deeper look at one task, without tools. */
export function analysisRequest(step: StepRequest, room: Room): ChatRequest {
  const messages = stepMessages(analysisInstructions, step, room)
  const promptTokens = room.promptTokens(messages)
  return {
    messages,
    schema: analysisSchema(step.report.changes),
    promptTokens,
    maxTokens: room.forAnalysis(promptTokens),
  }
}

/** The part of what is left that each has; the plan is no part of a step without tools. */
const shares = { response: 0.5, title: 0.3, reason: 0.2, plan: 0 }

/** The report comes first in its message, so that all steps of a batch begin alike. */
function stepMessages(instructions: string, step: StepRequest, room: Room): ChatMessage[] {
  const messages = (shorten: Shorten): ChatMessage[] => [
    { role: 'system', text: instructions },
    { role: 'user', text: `${step.report.text}${stepWords(step, shorten)}` },
  ]
  const left = room.left(messages(() => '…'))
  return messages((part, text) => room.fit(fitCharacters(part, text), Math.floor(left * shares[part])))
}
