import type { Clock } from '../domain/clock.ts'
import type { Provider, Usage } from '../domain/model.ts'
import type { CallMade } from '../judgement/score.ts'
import { readVerdicts } from './verdicts.ts'

const nothing: Usage = { promptTokens: 0, completionTokens: 0 }

/** The same provider; every call to it is added to `calls`, also one that fails. */
export function counted(provider: Provider, clock: Clock, calls: CallMade[]): Provider {
  async function noted<T extends { usage: Usage }>(
    purpose: CallMade['purpose'],
    ask: () => Promise<T>,
    isUnreadable: (answer: T) => boolean = () => false,
  ): Promise<T> {
    const began = clock.now()
    let answer: T | undefined
    try {
      answer = await ask()
      return answer
    } finally {
      const { promptTokens, completionTokens } = answer?.usage ?? nothing
      const ms = clock.now() - began
      calls.push({
        purpose,
        isUnreadable: answer !== undefined && isUnreadable(answer),
        promptTokens,
        completionTokens,
        ms,
      })
    }
  }
  const { id, model, contextTokens } = provider
  return {
    id,
    model,
    contextTokens,
    judge: (request, signal) =>
      noted(
        request.repair === undefined ? 'judge' : 'repair',
        () => provider.judge(request, signal),
        (answer) => readVerdicts(answer, request.report).unreadable,
      ),
    execute: (step, signal) => noted('execute', () => provider.execute(step, signal)),
    analyse: (step, signal) => noted('analyse', () => provider.analyse(step, signal)),
  }
}
