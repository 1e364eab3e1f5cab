import { z } from 'zod'
import { digestOf, fingerprintOf } from '../actors/digest.ts'
import { instanceId } from '../actors/heartbeat.ts'
import type { Turn } from '../actors/seat.ts'
import { Fault } from '../domain/errors.ts'
import type { Proposal } from '../domain/escalation.ts'
import { type ActorId, type EvaluationId, id, type TaskId } from '../domain/ids.ts'
import type { Task } from '../domain/task.ts'
import type { Tool } from '../domain/tool.ts'
import type { EvaluationInput, Question } from '../machines/evaluation-words.ts'
import { parametersOf } from '../skills/parameters.ts'
import type { Stores } from './stores.ts'

export const allowWrite = 'allow_write'

/** Puts a card in the inbox that asks whether a task may write, for exactly its words. */
export function askToWrite(turn: Turn, task: Task, evaluation: EvaluationId): void {
  const isLine = task.origin === 'heartbeat'
  const proposal: Proposal = {
    title: `Let “${task.title}” write`,
    summary: `This ${isLine ? 'line of HEARTBEAT.md' : 'imported task'} asks for an effect. Until you allow it, the task only reads.`,
    priority: 'normal',
    calls: [{ tool: allowWrite, arguments: { task: task.id, title: task.title } }],
    provenance: isLine ? [{ source: 'heartbeat', key: 'HEARTBEAT.md', quote: task.title, external: false }] : [],
  }
  const input: EvaluationInput = {
    id: evaluation,
    task: task.id,
    world: task.world,
    instance: instanceId(task.world),
    tick: null,
    batch: 0,
    from: 0,
    through: 0,
    intent: 'read',
    retryOf: null,
    tainted: false,
  }
  const self = evaluation as string as ActorId
  const question: Question = {
    kind: 'confirmWrite',
    proposal,
    digest: digestOf(evaluation, proposal),
    fingerprint: fingerprintOf(proposal),
  }
  turn.spawn(instanceId(task.world), 'evaluation', self, input)
  turn.tell(self, self, { type: 'ask', question })
}

const parameters = parametersOf(z.strictObject({ task: z.string(), title: z.string() }))

/** The tool behind such a card: it allows the task to write if its words are still those that were shown. */
export const allowWriteTool = (stores: Stores, write: <T>(change: () => T) => Promise<T>): Tool => ({
  name: allowWrite,
  description: 'Lets a task carry out the effects that its own words ask for.',
  effect: 'write',
  get parameters() {
    return parameters()
  },
  repeatable: true,
  parse: (args) => args,
  target: (args) => String(args.title),
  run: (args) =>
    write(() => {
      const task = stores.tasks.get(id<TaskId>(String(args.task)))
      if (!task || task.retired || task.title !== args.title) {
        throw new Fault('task/changed', 'The task has changed since this was asked. It will be asked again.')
      }
      stores.tasks.update(task.id, { intent: 'write', intentBy: 'user', asksToWrite: false })
      return `“${task.title}” may write`
    }),
})
