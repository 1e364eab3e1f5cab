import { z } from 'zod'
import { UsageKey } from '../../domain/usage.ts'
import { method } from '../method.ts'
import { Time } from '../rows.ts'
import { snake } from '../snake.ts'

const Day = z.string().meta({ id: 'Day', description: "A day of the calendar in the user's zone: 2026-11-30." })

export const Cost = z.int().nullable().meta({
  id: 'Cost',
  description: 'Whole millionths of the currency that prices are in; null where no price is known.',
})

const sums = {
  calls: z.int(),
  local_calls: z.int(),
  cloud_calls: z.int(),
  failed_calls: z.int().meta({ description: 'Of the calls, those that nothing came of.' }),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  cost: Cost,
}

const Allowance = z.strictObject({ limit: z.int(), used: z.int(), left: z.int() }).meta({ id: 'Allowance' })

export const UsageTodayRow = z
  .strictObject({
    day: Day,
    ...sums,
    calls_avoided: z.int(),
    escalations: z
      .strictObject({ verdicts: z.int(), escalated: z.int() })
      .meta({ description: 'How often a verdict was to escalate, of the last seven days.' }),
    budget: z
      .strictObject({
        money: Allowance.nullable().meta({ description: 'Whole millionths of the currency.' }),
        tokens: Allowance.nullable(),
        refused_until: Time.nullable().meta({ description: 'Set while calls are refused: when they go on.' }),
      })
      .nullable()
      .meta({ description: 'Of the cloud model; null while none is set.' }),
  })
  .meta({ id: 'UsageToday' })

const UsageRow = z
  .strictObject({
    key: z.string(),
    title: z.string().nullable(),
    ...sums,
    calls_avoided: z.int().nullable(),
  })
  .meta({ id: 'UsageRow' })

export const usage = method({
  name: 'usage.summary',
  summary:
    'What models were asked and used: today, and the last days told apart by task, world, day, model or purpose.',
  params: z.strictObject({ days: z.int().min(1).max(400).default(7), by: UsageKey.default('day') }),
  result: z.strictObject({
    today: UsageTodayRow,
    from: Day,
    to: Day,
    by: UsageKey,
    total: z.strictObject({ ...sums, calls_avoided: z.int() }),
    rows: z.array(UsageRow),
    more: z.int().meta({ description: 'Rows left out: those that used least.' }),
  }),
  run: async (query, services) => snake(await services.usage(query)),
})
