import { z } from 'zod'
import { Fault } from '../../domain/errors.ts'
import type { JSONType } from '../../domain/json.ts'
import type { Tool } from '../../domain/tool.ts'

export const delegateName = 'delegate'
const mostTasks = 4
const longestTask = 2000

const Tasks = z.strictObject({ tasks: z.array(z.string().trim().min(1).max(longestTask)).min(1).max(mostTasks) })

/** Hands parts of the work to workers. It is weighed like any tool and carried out by the core's own rounds. */
export const delegate: Tool = {
  name: delegateName,
  description: `Gives up to ${mostTasks} independent tasks to workers who have the same reading tools and see nothing but their task. Answers with what each found. Their steps count as yours.`,
  effect: 'read',
  parameters: {
    type: 'object',
    properties: { tasks: { type: 'array', items: { type: 'string' }, description: 'Each complete in itself.' } },
    required: ['tasks'],
    additionalProperties: false,
  },
  repeatable: true,
  parse(args) {
    const read = Tasks.safeParse(args)
    if (read.success) return read.data
    throw Fault.use(
      'tool/bad-arguments',
      `delegate takes tasks, 1 to ${mostTasks} texts of at most ${longestTask} characters.`,
    )
  },
  target: () => 'workers',
  run: async () => '',
}

export const tasksIn = (args: Record<string, JSONType>): string[] => Tasks.parse(args).tasks
