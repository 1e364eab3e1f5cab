import type { ChatMessage } from '../../domain/chat.ts'
import { type CoreStep, superstepCap } from '../../domain/session.ts'
import { asData } from '../agent-conversation.ts'

/** What the core does next. `last`: it has to answer now. */
export type CorePlan =
  | { kind: 'core'; last: boolean }
  | { kind: 'workers'; threads: { thread: number; last: boolean }[] }
  | { kind: 'answered'; text: string }

const workersAtOnce = 2
/** Model calls that one worker may make. */
const workerSteps = 4

/**
 * The next round of a core's work, told by what it has done so far. Every model call counts, those of workers too; the
 * last one is the core's, to answer.
 */
export function planOf(steps: readonly CoreStep[], cap = superstepCap): CorePlan {
  const last = steps.findLast(({ thread }) => thread === 0)?.message
  if (last?.role === 'assistant' && last.calls.length === 0) return { kind: 'answered', text: last.text }
  const left = cap - 1 - thoughts(steps)
  const working = threadsOf(steps).filter((thread) => thread !== 0 && !hasEnded(thread, steps))
  if (working.length === 0 || left <= 0) return { kind: 'core', last: left <= 0 }
  const threads = working.slice(0, Math.min(workersAtOnce, left)).map((thread) => ({
    thread,
    last: thoughts(steps.filter((step) => step.thread === thread)) + 1 >= workerSteps,
  }))
  return { kind: 'workers', threads }
}

/** What a thread has said and heard; delegations are answered with what their workers came to. */
export const conversationOf = (thread: number, steps: readonly CoreStep[]): ChatMessage[] =>
  steps
    .filter((step) => step.thread === thread)
    .map(({ message, waits }) => (waits === null ? message : { ...message, text: results(waits, steps) }))

export const threadsOf = (steps: readonly CoreStep[]): number[] => [...new Set(steps.map(({ thread }) => thread))]

export const thoughts = (steps: readonly CoreStep[]): number =>
  steps.filter(({ message }) => message.role === 'assistant').length

/** The number of a thread's next turn. */
export const nextOf = (thread: number, steps: readonly CoreStep[]): number =>
  steps.filter((step) => step.thread === thread).length

const hasEnded = (thread: number, steps: readonly CoreStep[]): boolean => {
  const last = steps.findLast((step) => step.thread === thread)?.message
  return last?.role === 'assistant' && last.calls.length === 0
}

function results(waits: readonly number[], steps: readonly CoreStep[]): string {
  const found = waits.map((thread, at) => {
    const words = steps.findLast((step) => step.thread === thread && step.message.role === 'assistant')?.message.text
    const state = hasEnded(thread, steps) ? '' : ' (not finished: there are no more steps)'
    return `Task ${at + 1}${state}: ${words?.trim() || 'nothing found'}`
  })
  return asData(found.join('\n\n'))
}
