import { z } from 'zod'
import { minute } from '../../domain/clock.ts'
import { Intent } from '../../domain/task.ts'
import { method } from '../method.ts'
import { TaskRow, taskRow } from '../rows.ts'
import type { TaskOrder } from '../services.ts'
import { given, nothing } from './common.ts'

/** How a task runs. What is wrong with a title, a schedule or an input is said by those who know the rules. */
const order = {
  schedule: z
    .union([z.string(), z.record(z.string(), z.unknown())], 'expected words or a schedule object')
    .optional()
    .meta({ description: 'Words such as "every 30 minutes", or an object with kind every-tick, every, cron or once.' }),
  intent: Intent.optional().meta({ description: 'Whether its words ask for an effect.' }),
  inputs: z.array(z.string()).optional().meta({ description: 'Sources or globs it looks at; empty for all.' }),
  only_if_changed: z.boolean().optional(),
  catch_up: z.enum(['once', 'skip']).optional().meta({ description: 'What a run that was missed becomes.' }),
  max_lateness_minutes: z
    .int()
    .min(1)
    .max(366 * 24 * 60)
    .nullable()
    .optional(),
}

const list = method({
  name: 'subconscious.tasks_list',
  summary: 'All tasks that are not done.',
  params: nothing,
  result: z.array(TaskRow),
  run: (_, services) => services.tasks.list().map(taskRow),
})

const add = method({
  name: 'subconscious.tasks_add',
  summary: 'Adds a task.',
  params: z.strictObject({ title: z.string(), ...order }),
  result: TaskRow,
  run: async ({ title, ...rest }, services) => taskRow(await services.tasks.add({ title, ...orderOf(rest) })),
})

const update = method({
  name: 'subconscious.tasks_update',
  summary: 'Changes a task. System tasks keep their words.',
  params: z.strictObject({ task: given, title: z.string().optional(), enabled: z.boolean().optional(), ...order }),
  result: TaskRow,
  run: async ({ task, title, enabled, ...rest }, services) =>
    taskRow(await services.tasks.edit(task, { title, enabled, ...orderOf(rest) })),
})

const remove = method({
  name: 'subconscious.tasks_remove',
  summary: 'Deletes a task of the user. Its history stays, its open cards are withdrawn.',
  params: z.strictObject({ task: given }),
  result: TaskRow,
  run: async ({ task }, services) => taskRow(await services.tasks.remove(task)),
})

export const tasks = [list, add, update, remove]

const Order = z.strictObject(order)

function orderOf(given: z.output<typeof Order>): Omit<TaskOrder, 'title'> {
  const { schedule, intent, inputs, only_if_changed, catch_up, max_lateness_minutes: late } = given
  return {
    schedule,
    intent,
    inputs,
    onlyIfChanged: only_if_changed,
    catchUp: catch_up,
    maxLatenessMs: typeof late === 'number' ? late * minute : late,
  }
}
