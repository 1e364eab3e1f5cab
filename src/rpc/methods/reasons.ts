import { z } from 'zod'
import { Provenance } from '../../domain/escalation.ts'
import { Purpose, Route } from '../../domain/usage.ts'
import { method } from '../method.ts'
import { CardFacts, LogRow, TaskRow, Time, taskRow } from '../rows.ts'
import type { Services } from '../services.ts'
import { snake } from '../snake.ts'
import { given } from './common.ts'

const EvaluationRow = LogRow.omit({ title: true })
  .extend({
    batch: z.int(),
    from: z.int(),
    through: z.int(),
    call: z.string().nullable(),
    sources: z.array(Provenance),
  })
  .meta({ id: 'Evaluation' })

const TaskReason = z.strictObject({
  task: TaskRow,
  schedule: z.string(),
  last: EvaluationRow.nullable(),
  last_text: z.string(),
  now_text: z.string(),
  next_text: z.string(),
})

const ChangeRow = z
  .strictObject({
    seq: z.int(),
    source: z.string(),
    key: z.string(),
    kind: z.enum(['added', 'modified', 'removed']),
    item_kind: z.enum(['file', 'markdown', 'mail', 'health']),
    title: z.string(),
    author: z.string().nullable(),
    time: z.number().nullable(),
    link: z.string(),
    external: z.boolean(),
    at: Time,
    added: z.array(z.string()),
    removed: z.array(z.string()),
    omitted: z.int(),
  })
  .meta({ id: 'Change' })

const ModelCallRow = z
  .strictObject({
    id: z.string(),
    tick: z.string().nullable(),
    batch: z.int().nullable(),
    world: z.string().nullable(),
    evaluation: z.string().nullable(),
    tasks: z.array(z.string()),
    provider: z.string(),
    model: z.string(),
    route: Route,
    purpose: Purpose,
    prompt_digest: z.string(),
    answer: z.string(),
    repaired: z.union([z.literal(0), z.literal(1)]),
    calls: z.int(),
    failed: z.boolean(),
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    cost: z.int().nullable(),
    duration_ms: z.number(),
    at: Time,
  })
  .meta({ id: 'ModelCall' })

const JournalRow = z
  .strictObject({
    seq: z.int(),
    actor: z.string(),
    version: z.int(),
    sender: z.string().nullable(),
    event: z.string(),
    from_state: z.string().nullable(),
    to_state: z.string(),
    at: Time,
  })
  .meta({ id: 'JournalRow' })

const EvaluationReason = z.strictObject({
  evaluation: EvaluationRow,
  task: TaskRow.nullable(),
  card: CardFacts.nullable(),
  changes: z.array(ChangeRow),
  more_changes: z.int(),
  call: ModelCallRow.nullable(),
  journal: z.array(JournalRow),
})

export const why = method({
  name: 'subconscious.why',
  summary: 'Why a task ran when it did and why not since, or what led to an evaluation.',
  params: z
    .strictObject({ task: given.optional(), evaluation: given.optional() })
    .refine(
      ({ task, evaluation }) => (task === undefined) !== (evaluation === undefined),
      'give a task or an evaluation',
    ),
  result: z.union([TaskReason, EvaluationReason]),
  run: ({ task, evaluation }, services) =>
    task !== undefined ? taskReason(services, task) : evaluationReason(services, evaluation ?? ''),
})

function taskReason(services: Services, given: string): z.input<typeof TaskReason> {
  const { task, ...reason } = services.tasks.why(given)
  return { ...snake(reason), task: taskRow(task) }
}

function evaluationReason(services: Services, given: string): z.input<typeof EvaluationReason> {
  const { task, ...reason } = services.evaluations.why(given)
  return { ...snake(reason), task: task && taskRow(task) }
}
