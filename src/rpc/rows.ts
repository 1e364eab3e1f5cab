import { z } from 'zod'
import { Priority, Provenance } from '../domain/escalation.ts'
import { EvaluationState } from '../domain/evaluation.ts'
import type { JSONType } from '../domain/json.ts'
import { Schedule } from '../domain/schedule.ts'
import { Intent, TaskEffect } from '../domain/task.ts'
import type { CardView, LogView, TaskView } from './services.ts'
import { type Snake, snake } from './snake.ts'

/*
 * What methods answer with, as it is on the wire: snake_case, times in milliseconds UTC. Each shape has an id, under
 * which the discovery document holds it once.
 */

export const Time = z.int().meta({ id: 'Time', description: 'Milliseconds UTC.' })

export const Json: z.ZodType<JSONType> = z
  .lazy(() =>
    z.union(
      [z.string(), z.number(), z.boolean(), z.null(), z.array(Json), z.record(z.string(), Json)],
      'expected JSON',
    ),
  )
  .meta({ id: 'Json' })

export const ToolCallRow = z
  .strictObject({ tool: z.string(), arguments: z.record(z.string(), Json) })
  .meta({ id: 'ToolCall', description: 'One use of a tool, with exactly the arguments it will be handed.' })

export const TaskRow = z
  .strictObject({
    id: z.string(),
    world: z.string(),
    title: z.string(),
    source: z.enum(['system', 'user']),
    origin: z.enum(['seed', 'heartbeat', 'user']),
    judge: z.enum(['model', 'check-skills', 'check-health']),
    intent: Intent,
    intent_by: z.enum(['user', 'model', 'rule']),
    asks_to_write: z.boolean(),
    effects: z.array(TaskEffect),
    schedule: Schedule,
    schedule_text: z.string(),
    inputs: z.array(z.string()),
    only_if_changed: z.boolean(),
    catch_up: z.enum(['once', 'skip']),
    max_lateness_ms: z.int().nullable(),
    enabled: z.boolean(),
    paused: z.string().nullable(),
    completed: z.boolean(),
    last_run_at: Time.nullable(),
    next_run_at: Time.nullable(),
    attempts: z.int(),
    created_at: Time,
  })
  .meta({ id: 'Task' })

/** A task without what only the scheduler needs. */
export function taskRow(task: TaskView): z.input<typeof TaskRow> {
  const { judgedThrough, retired, retryAt, retryOf, ...shown } = task
  return snake(shown)
}

export const LogRow = z
  .strictObject({
    id: z.string(),
    task: z.string(),
    title: z.string(),
    world: z.string(),
    tick: z.string().nullable(),
    state: EvaluationState,
    phase: z.enum(['judging', 'executing', 'analysing', 'carryingOut']).nullable(),
    decision: z.enum(['skip', 'act', 'escalate']).nullable(),
    reason: z.string().nullable(),
    text: z.string().nullable(),
    sources: z.array(Provenance),
    failure: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
    retry_of: z.string().nullable(),
    tainted: z.boolean(),
    created_at: Time,
    settled_at: Time.nullable(),
  })
  .meta({ id: 'LogRow', description: 'An evaluation, as the activity log shows it.' })

export function logRow(evaluation: LogView): z.input<typeof LogRow> {
  const { batch, from, through, call, ...shown } = evaluation
  return snake(shown)
}

export const CardState = z.enum(['open', 'approved', 'dismissed', 'expired', 'withdrawn', 'superseded', 'cancelled'])

/** A card as it is in the store. */
export const CardFacts = z.strictObject({
  id: z.string(),
  task: z.string(),
  world: z.string(),
  kind: z.enum(['proposal', 'unknown', 'confirmWrite']),
  state: CardState,
  title: z.string(),
  summary: z.string(),
  priority: Priority,
  calls: z.array(ToolCallRow),
  provenance: z.array(Provenance),
  digest: z.string(),
  fingerprint: z.string(),
  external: z.boolean(),
  bundled: z.boolean(),
  created_at: Time,
  refreshed_at: Time,
  expires_at: Time,
  answered_at: Time.nullable(),
  answered_by: z.string().nullable(),
  answer: z.string().nullable(),
})

/** A card with what a person needs to see of it. */
export const CardRow = CardFacts.extend({
  task_title: z.string(),
  calls_shown: z.array(
    z.strictObject({
      tool: z.string(),
      target: z.string(),
      arguments: z.array(z.strictObject({ name: z.string(), value: z.string() })),
    }),
  ),
}).meta({ id: 'Card' })

export const cardRow = (card: CardView): Snake<CardView> => snake(card)
