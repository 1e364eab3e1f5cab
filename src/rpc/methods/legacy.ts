import { z } from 'zod'
import { Priority } from '../../domain/escalation.ts'
import type { Schedule } from '../../domain/schedule.ts'
import { legacyMethod } from '../envelope.ts'
import { invalidParams } from '../params.ts'
import type { CardView, LogView, Services, TaskView } from '../services.ts'
import { given } from './common.ts'
import { legacyStatus } from './legacy-status.ts'
import { seconds, UnixSeconds } from './legacy-time.ts'
import { triggerKind } from './ticks.ts'

/*
 * The methods of OpenHuman's subconscious, so that a client of it works unchanged: its parameters, its rows, its words
 * for what became of a task. What a parameter may be left out, may be null.
 */

const LegacyTask = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    source: z.enum(['system', 'user']),
    recurrence: z.string().meta({ description: 'once, cron: with its five fields, pending for every tick, or words.' }),
    enabled: z.boolean(),
    last_run_at: UnixSeconds.nullable(),
    next_run_at: UnixSeconds.nullable(),
    completed: z.boolean(),
    created_at: UnixSeconds,
  })
  .meta({ id: 'LegacyTask' })

const legacyTask = (task: TaskView): z.input<typeof LegacyTask> => ({
  id: task.id,
  title: task.title,
  source: task.source,
  recurrence: recurrenceOf(task),
  enabled: task.enabled,
  last_run_at: seconds(task.lastRunAt),
  next_run_at: seconds(task.nextRunAt),
  completed: task.completed,
  created_at: seconds(task.createdAt),
})

function recurrenceOf({ schedule, scheduleText }: TaskView): string {
  switch (schedule.kind) {
    case 'every-tick':
      return 'pending'
    case 'once':
      return 'once'
    case 'cron':
      return `cron:${schedule.expression}`
    case 'every':
      return scheduleText
    default:
      return schedule satisfies never
  }
}

/** The other way. What is none of the three may be the words of a schedule. */
function scheduleOf(recurrence: string): Schedule | string {
  if (recurrence === 'pending') return { kind: 'every-tick' }
  const [, expression] = /^cron:(.*)$/s.exec(recurrence) ?? []
  return expression === undefined ? recurrence : { kind: 'cron', expression: expression.trim() }
}

const decisions = {
  inProgress: 'in_progress',
  acted: 'act',
  skipped: 'noop',
  awaitingApproval: 'escalate',
  dismissed: 'dismissed',
  failed: 'failed',
  cancelled: 'cancelled',
  superseded: 'cancelled',
} as const satisfies Record<LogView['state'], string>

const LegacyLogEntry = z
  .strictObject({
    id: z.string(),
    task_id: z.string(),
    tick_at: UnixSeconds,
    decision: z.enum(['in_progress', 'act', 'noop', 'escalate', 'dismissed', 'failed', 'cancelled']),
    result: z.string().nullable(),
    duration_ms: z.int().nullable(),
    created_at: UnixSeconds,
  })
  .meta({ id: 'LegacyLogEntry' })

const legacyLogEntry = (row: LogView): z.input<typeof LegacyLogEntry> => ({
  id: row.id,
  task_id: row.task,
  tick_at: seconds(row.createdAt),
  decision: decisions[row.state],
  result: row.text ?? row.failure?.message ?? row.reason,
  duration_ms: row.settledAt === null ? null : Math.max(0, row.settledAt - row.createdAt),
  created_at: seconds(row.createdAt),
})

const Status = z.enum(['pending', 'approved', 'dismissed'])

const LegacyEscalation = z
  .strictObject({
    id: z.string(),
    task_id: z.string(),
    log_id: z.string().nullable(),
    title: z.string(),
    description: z.string(),
    priority: Priority,
    status: Status,
    created_at: UnixSeconds,
    resolved_at: UnixSeconds.nullable(),
  })
  .meta({ id: 'LegacyEscalation' })

const legacyEscalation = (card: CardView): z.input<typeof LegacyEscalation> => ({
  id: card.id,
  task_id: card.task,
  log_id: card.id,
  title: card.title,
  description: descriptionOf(card),
  priority: card.priority,
  status: statusOf(card),
  created_at: seconds(card.createdAt),
  resolved_at: seconds(card.answeredAt),
})

/** Whoever approves here has nothing but this text to see what they say yes to: all of it stands in it. */
const descriptionOf = ({ summary, callsShown }: CardView): string =>
  [
    summary,
    ...callsShown.map(({ tool, target, arguments: values }) =>
      [`${tool} ${target}`, ...values.map(({ name, value }) => `  ${name}: ${value}`)].join('\n'),
    ),
  ].join('\n\n')

/** Expired, withdrawn and replaced cards were not approved, and there is no other word for it. */
const statusOf = ({ state }: CardView): z.infer<typeof Status> =>
  state === 'open' ? 'pending' : state === 'approved' ? 'approved' : 'dismissed'

const most = z.int().min(1).max(500).nullish()
const usualLimit = 50
const user = { by: 'user' }

const trigger = legacyMethod({
  name: 'trigger',
  summary: 'Asks a world to tick now, the memory world unless another is named. Answers at once.',
  params: z.strictObject({ kind: z.string().max(100).nullish() }),
  result: z.strictObject({ triggered: z.literal(true) }),
  log: 'subconscious tick triggered',
  async run({ kind }, services) {
    await triggerKind(services, kind ?? 'memory', false)
    return { triggered: true as const }
  },
})

const tasksList = legacyMethod({
  name: 'tasks_list',
  summary: 'All tasks that are not done.',
  params: z.strictObject({ enabled_only: z.boolean().nullish() }),
  result: z.array(LegacyTask),
  log: 'tasks listed',
  run: ({ enabled_only: only }, services) =>
    services.tasks
      .list()
      .filter(({ enabled }) => enabled || !only)
      .map(legacyTask),
})

const tasksAdd = legacyMethod({
  name: 'tasks_add',
  summary: "Adds a task. Whatever source says, it is the user's.",
  params: z.strictObject({ title: z.string(), source: z.enum(['user', 'system']).nullish() }),
  result: LegacyTask,
  log: 'task added',
  run: async ({ title }, services) => legacyTask(await services.tasks.add({ title })),
})

const tasksUpdate = legacyMethod({
  name: 'tasks_update',
  summary: 'Changes a task. System tasks keep their words.',
  params: z.strictObject({
    task_id: given,
    title: z.string().nullish(),
    recurrence: z.string().nullish(),
    enabled: z.boolean().nullish(),
  }),
  result: z.strictObject({ updated: z.string() }),
  log: 'task updated',
  async run({ task_id: task, title, recurrence, enabled }, services) {
    const { id } = await services.tasks.edit(task, {
      ...(title != null && { title }),
      ...(recurrence != null && { schedule: scheduleOf(recurrence) }),
      ...(enabled != null && { enabled }),
    })
    return { updated: id }
  },
})

const tasksRemove = legacyMethod({
  name: 'tasks_remove',
  summary: 'Deletes a task of the user. Its history stays.',
  params: z.strictObject({ task_id: given }),
  result: z.strictObject({ removed: z.string() }),
  log: 'task removed',
  run: async ({ task_id: task }, services) => ({ removed: (await services.tasks.remove(task)).id }),
})

const logList = legacyMethod({
  name: 'log_list',
  summary: 'The activity log, newest first.',
  params: z.strictObject({ task_id: given.nullish(), limit: most }),
  result: z.array(LegacyLogEntry),
  log: 'log entries listed',
  run: ({ task_id: task, limit }, services) =>
    services.evaluations.log({ task: task ?? undefined, limit: limit ?? usualLimit }).map(legacyLogEntry),
})

const escalationsList = legacyMethod({
  name: 'escalations_list',
  summary: 'Cards, newest first: all of the latest, or those of one status.',
  params: z.strictObject({ status: Status.nullish() }),
  result: z.array(LegacyEscalation),
  log: 'escalations listed',
  run: ({ status }, services) =>
    services.cards
      .list({ open: status === 'pending', limit: 500 })
      .filter((card) => status == null || statusOf(card) === status)
      .map(legacyEscalation),
})

const approve = legacyMethod({
  name: 'escalations_approve',
  summary: 'Carries out what the card shows as it stands now. Answers when the approval is durable.',
  params: z.strictObject({ escalation_id: given }),
  result: z.strictObject({ approved: z.string() }),
  log: 'escalation approved',
  async run({ escalation_id: escalation }, services) {
    const { id, digest } = cardOf(services, escalation)
    await services.cards.approve(id, digest, user)
    return { approved: id }
  },
})

const dismiss = legacyMethod({
  name: 'escalations_dismiss',
  summary: 'Skips what the card proposes.',
  params: z.strictObject({ escalation_id: given }),
  result: z.strictObject({ dismissed: z.string() }),
  log: 'escalation dismissed',
  run: async ({ escalation_id: escalation }, services) => ({
    dismissed: (await services.cards.dismiss(escalation, user)).id,
  }),
})

/** Only a plain proposal can be approved unseen: the other kinds ask something that this client does not know of. */
function cardOf(services: Services, escalation: string): CardView {
  const card = services.cards.get(escalation)
  if (card.kind !== 'unknown') return card
  throw invalidParams(
    'This card asks whether something happened. Answer with subconscious.escalations_resolve, or dismiss it.',
    { fields: ['escalation_id'] },
  )
}

export const legacy = [
  legacyStatus,
  trigger,
  tasksList,
  tasksAdd,
  tasksUpdate,
  tasksRemove,
  logList,
  escalationsList,
  approve,
  dismiss,
]
