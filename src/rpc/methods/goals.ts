import { z } from 'zod'
import { method } from '../method.ts'
import { Time } from '../rows.ts'
import { snake } from '../snake.ts'
import { given, nothing } from './common.ts'

const GoalRow = z.strictObject({ id: z.string(), text: z.string(), created_at: Time }).meta({ id: 'Goal' })

const list = method({
  name: 'subconscious.goals_list',
  summary: 'The standing aims that steer every judgement.',
  params: nothing,
  result: z.array(GoalRow),
  run: (_, services) => snake(services.goals.list()),
})

const add = method({
  name: 'subconscious.goals_add',
  summary: 'Adds a goal.',
  params: z.strictObject({ text: z.string() }),
  result: GoalRow,
  run: async ({ text }, services) => snake(await services.goals.add(text)),
})

const update = method({
  name: 'subconscious.goals_update',
  summary: 'Gives a goal other words.',
  params: z.strictObject({ goal: given, text: z.string() }),
  result: GoalRow,
  run: async ({ goal, text }, services) => snake(await services.goals.update(goal, text)),
})

const remove = method({
  name: 'subconscious.goals_remove',
  summary: 'Removes a goal.',
  params: z.strictObject({ goal: given }),
  result: GoalRow,
  run: async ({ goal }, services) => snake(await services.goals.remove(goal)),
})

export const goals = [list, add, update, remove]
