import type { ChatMessage } from '../../domain/chat.ts'
import type { SituationReport } from '../../domain/report.ts'
import { type AgentStage, agentInstructions, compactInstructions } from './instructions.ts'
import { fitCharacters, type StepWords, stepWords } from './step-words.ts'

export interface AgentTask extends StepWords {
  stage: AgentStage
  report: SituationReport
  tainted: boolean
}

/** How the conversation of an agent with tools begins. */
export const agentPrompt = ({ stage, report, ...words }: AgentTask): ChatMessage[] => [
  { role: 'system', text: agentInstructions[stage] },
  { role: 'user', text: `${report.text}${stepWords(words, fitCharacters)}` },
]

/**
 * Asks for a summary to go on from. The conversation stays as it is up to the question, so that what a provider has kept
 * of it still counts; a last turn with calls that nothing has answered is left out, which no provider would take.
 */
export function compactPrompt(messages: readonly ChatMessage[]): ChatMessage[] {
  const answered = new Set(messages.flatMap((message) => (message.role === 'tool' ? [message.call] : [])))
  const open = messages.findIndex(
    (message) => message.role === 'assistant' && message.calls.some(({ id }) => !answered.has(id)),
  )
  const kept = open < 0 ? [...messages] : messages.slice(0, open)
  const last = kept.at(-1)
  if (last?.role !== 'user') return [...kept, { role: 'user', text: compactInstructions }]
  return [...kept.slice(0, -1), { role: 'user', text: `${last.text}\n\n${compactInstructions}` }]
}
