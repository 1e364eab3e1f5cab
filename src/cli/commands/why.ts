import type { Command } from 'commander'
import { Fault } from '../../domain/errors.ts'
import type { Door } from '../../rpc/door.ts'
import { ask } from '../ask.ts'
import { examples } from '../examples.ts'
import type { Shell } from '../shell.ts'
import { EvaluationReason, TaskReason } from '../views.ts'
import { evaluationReasonLines, taskReasonLines } from '../why-lines.ts'

export const addWhy = (program: Command, shell: Shell): void => {
  const command = program
    .command('why')
    .description('explain why a task ran or did not, or what led to an evaluation')
    .argument('<task|evaluation>', 'an id; of a task its beginning or its title will do')
  examples(command, 'undermind why task_01h2', 'undermind why ev_01h2x9', 'undermind why "Check urgent mail"')
  shell.act(command, (given: string) => shell.withDoor((door) => why(shell, door, given)))
}

const why = async (shell: Shell, door: Door, given: string): Promise<void> => {
  const method = 'subconscious.why'
  const ofTask = async (): Promise<void> => {
    const reason = await ask(door, method, { task: given }, TaskReason)
    if (shell.json) shell.print(reason)
    else shell.say(...taskReasonLines(reason, shell))
  }
  const ofEvaluation = async (): Promise<void> => {
    const reason = await ask(door, method, { evaluation: given }, EvaluationReason)
    if (shell.json) shell.print(reason)
    else shell.say(...evaluationReasonLines(reason, shell))
  }
  const [first, second] = given.startsWith('ev_') ? [ofEvaluation, ofTask] : [ofTask, ofEvaluation]
  try {
    await first()
  } catch (error) {
    if (!isUnknown(error)) throw error
    await second().catch((other: unknown) => {
      throw isUnknown(other) ? error : other
    })
  }
}

const isUnknown = (error: unknown): boolean =>
  error instanceof Fault && (error.code === 'task/unknown' || error.code === 'evaluation/unknown')
