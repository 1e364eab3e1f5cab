import type { CountedCall } from '../domain/usage.ts'

interface Share {
  /** Empty where a call was made for no task. */
  task: string
  calls: number
  failedCalls: number
  promptTokens: number
  completionTokens: number
  cost: number | null
}

type Whole = Pick<CountedCall, 'tasks' | 'calls' | 'promptTokens' | 'completionTokens' | 'cost'> & {
  failedCalls: number
}

/**
 * What each task of a call is charged with: whole parts, what does not divide with the first, so that they add up to the
 * call. Tasks that are charged with nothing are left out.
 */
export function sharesOf(call: Whole): Share[] {
  const tasks = call.tasks.length === 0 ? [''] : [...new Set(call.tasks)]
  const part = (amount: number, index: number): number => {
    const even = Math.floor(amount / tasks.length)
    return index === 0 ? amount - even * (tasks.length - 1) : even
  }
  return tasks.flatMap((task, index) => {
    const share: Share = {
      task,
      calls: part(call.calls, index),
      failedCalls: part(call.failedCalls, index),
      promptTokens: part(call.promptTokens, index),
      completionTokens: part(call.completionTokens, index),
      cost: call.cost === null ? null : part(call.cost, index),
    }
    return index === 0 || share.calls + share.promptTokens + share.completionTokens + (share.cost ?? 0) > 0
      ? [share]
      : []
  })
}
