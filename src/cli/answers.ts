import type { Door } from '../rpc/door.ts'
import { errorObject, exitCodeOf, failureLines } from './failure.ts'
import type { Shell } from './shell.ts'

/** What answering one card came to; `isDone` is false when what was asked for has not come about. */
export interface CardAnswered {
  result: object
  isDone: boolean
}

/**
 * Answers cards one after the other. One that fails does not keep the others from being answered; a single one fails as
 * a whole. Resolves with the exit code.
 */
export const eachCard = (
  shell: Shell,
  ids: readonly string[],
  answer: (door: Door, id: string) => Promise<CardAnswered>,
): Promise<number> =>
  shell.withDoor(async (door) => {
    const [only] = ids
    if (only !== undefined && ids.length === 1) {
      const { result, isDone } = await answer(door, only)
      if (shell.json) shell.print(result)
      return isDone ? 0 : 1
    }
    return answerAll(shell, door, [...new Set(ids)], answer)
  })

/** The same for several, with a result each; `others` are results of cards that were left alone. */
export const answerAll = async (
  shell: Shell,
  door: Door,
  ids: readonly string[],
  answer: (door: Door, id: string) => Promise<CardAnswered>,
  others: readonly object[] = [],
): Promise<number> => {
  const results: object[] = []
  let code = 0
  for (const id of ids) {
    try {
      const { result, isDone } = await answer(door, id)
      results.push(result)
      if (!isDone) code ||= 1
    } catch (error) {
      results.push({ evaluation: id, error: errorObject(error) })
      code ||= exitCodeOf(error)
      if (!shell.json) {
        const lines = failureLines(error, shell.paint, shell.columns)
        shell.parts.io.err(`${id}: ${lines.join('\n')}\n`)
      }
    }
  }
  if (shell.json) shell.print([...results, ...others])
  return code
}
