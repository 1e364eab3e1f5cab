import { z } from 'zod'
import { EvaluationState } from '../domain/evaluation.ts'
import { Schedule } from '../domain/schedule.ts'
import { UsageKey } from '../domain/usage.ts'

/*
 * What the commands need of the answers they get, with camelCase names. What more there is passes through to `--json`.
 */

const text = z.string()
const time = z.number().nullable()

const Found = z.looseObject({ source: text, key: text, quote: text.nullish(), external: z.boolean() })
export type Found = z.infer<typeof Found>

/** An evaluation as the activity log has it. */
export const Row = z.looseObject({
  id: text,
  task: text,
  title: text.nullish(),
  state: EvaluationState,
  phase: text.nullish(),
  tick: text.nullish(),
  text: text.nullish(),
  reason: text.nullish(),
  sources: z.array(Found).default([]),
  failure: z.looseObject({ code: text, message: text }).nullish(),
  createdAt: z.number().nullish(),
  settledAt: time.optional(),
})
export type Row = z.infer<typeof Row>
export const Rows = z.array(Row)

export const Ticks = z.object({
  ticks: z.array(
    z.looseObject({
      world: text,
      tick: text,
      state: text,
      reason: text.nullish(),
      modelCalls: z.number(),
      callsAvoided: z.number().default(0),
      evaluations: Rows,
      durationMs: z.number(),
    }),
  ),
})
export type Tick = z.infer<typeof Ticks>['ticks'][number]

export const Task = z.looseObject({
  id: text,
  title: text,
  source: text,
  intent: text,
  asksToWrite: z.boolean().default(false),
  schedule: Schedule,
  scheduleText: text.nullish(),
  enabled: z.boolean(),
  paused: text.nullish(),
  completed: z.boolean().default(false),
  lastRunAt: time.optional(),
  nextRunAt: time,
})
export type Task = z.infer<typeof Task>
export const Tasks = z.array(Task)

export const Goal = z.looseObject({ id: text, text })
export const Goals = z.array(Goal)

const World = z.looseObject({
  id: text,
  title: text,
  state: text,
  lastTickAt: time,
  nextTickAt: time.optional(),
  totalTicks: z.number(),
  consecutiveFailures: z.number(),
  failureReason: text.nullish(),
  haltedReason: text.nullish(),
})
export type World = z.infer<typeof World>

const sums = {
  calls: z.number(),
  localCalls: z.number(),
  cloudCalls: z.number(),
  failedCalls: z.number(),
  promptTokens: z.number(),
  completionTokens: z.number(),
  /** Whole millionths; null where no price is known. */
  cost: z.number().nullable(),
}

const Allowance = z.looseObject({ limit: z.number(), used: z.number(), left: z.number() })

const UsageToday = z.looseObject({
  day: text,
  ...sums,
  callsAvoided: z.number(),
  escalations: z.looseObject({ verdicts: z.number(), escalated: z.number() }),
  budget: z.looseObject({ money: Allowance.nullable(), tokens: Allowance.nullable(), refusedUntil: time }).nullable(),
})
export type UsageToday = z.infer<typeof UsageToday>

const UsageRow = z.looseObject({ key: text, title: text.nullable(), ...sums, callsAvoided: z.number().nullable() })
export type UsageRow = z.infer<typeof UsageRow>
export type UsageSums = Pick<UsageRow, keyof typeof sums>

export const UsageSummary = z.looseObject({
  today: UsageToday,
  from: text,
  to: text,
  by: UsageKey,
  total: z.looseObject({ ...sums, callsAvoided: z.number() }),
  rows: z.array(UsageRow),
  more: z.number(),
})
export type UsageSummary = z.infer<typeof UsageSummary>

export const Status = z.looseObject({
  workspace: text,
  trusted: z.boolean(),
  mode: text,
  model: z.looseObject({ provider: text, model: text }),
  taskCount: z.number(),
  pendingEscalations: z.number(),
  heartbeatFile: z.looseObject({ kind: text, tasks: z.number().optional(), reason: text.optional() }),
  sources: z.array(z.looseObject({ title: text, health: text, failure: text.nullish() })).default([]),
  pausedTasks: z.array(z.looseObject({ id: text, title: text, why: text })).default([]),
  deadLetters: z.number().default(0),
  stalled: text.nullish(),
  routes: z
    .array(z.looseObject({ stage: text, provider: text, model: text, available: z.boolean(), reason: text.nullable() }))
    .default([]),
  usage: UsageToday,
  providerUnavailableReason: text.nullish(),
  instances: z.array(World.omit({ id: true }).extend({ instance: text })),
})
export type Status = z.infer<typeof Status>

export const Instances = z.object({ instances: z.array(z.looseObject({ instance: text, state: text })) })

/** A card in the inbox. Arguments of its `calls` are as the tools get them. */
export const Card = z.looseObject({
  id: text,
  task: text,
  taskTitle: text.nullish(),
  title: text,
  summary: text,
  priority: text,
  kind: z.enum(['proposal', 'unknown', 'confirmWrite']),
  state: text,
  digest: text,
  external: z.boolean(),
  bundled: z.boolean().default(false),
  provenance: z.array(Found),
  calls: z.array(z.looseObject({ tool: text, arguments: z.record(text, z.json()) })),
  callsShown: z.array(
    z.looseObject({
      tool: text,
      target: text,
      arguments: z.array(z.looseObject({ name: text, value: text })),
    }),
  ),
  createdAt: z.number(),
  expiresAt: z.number(),
  answeredAt: time.optional(),
  answeredBy: text.nullish(),
})
export type Card = z.infer<typeof Card>

/** An answer to a card was taken; `outcome` is what came of it, where that was waited for. */
export const Answered = z.looseObject({ evaluation: text, state: text.optional(), outcome: Row.nullish() })

export const TaskReason = z.looseObject({
  task: z.looseObject({ id: text, title: text }),
  schedule: text,
  lastText: text,
  nowText: text,
  nextText: text,
})
export type TaskReason = z.infer<typeof TaskReason>

const Change = z.looseObject({
  kind: text,
  key: text,
  title: text,
  external: z.boolean(),
  added: z.array(text),
  removed: z.array(text),
  omitted: z.number().default(0),
})
export type Change = z.infer<typeof Change>

export const EvaluationReason = z.looseObject({
  evaluation: Row,
  task: z.looseObject({ id: text, title: text }).nullish(),
  changes: z.array(Change),
  moreChanges: z.number(),
  call: z
    .looseObject({
      provider: text,
      model: text,
      purpose: text,
      answer: text,
      promptTokens: z.number(),
      completionTokens: z.number(),
      cost: z.number().nullable(),
      durationMs: z.number(),
    })
    .nullish(),
  journal: z.array(z.looseObject({ version: z.number(), at: z.number(), event: text, toState: text })),
})
export type EvaluationReason = z.infer<typeof EvaluationReason>

export const Undone = z.array(z.looseObject({ path: text, outcome: text, copy: text.nullish() }))

export const Steps = z.array(
  z.looseObject({ version: z.number(), at: z.number(), event: text, recorded: text, replayed: text }),
)

const decided = {
  decision: text.nullable(),
  reason: text.nullable(),
  text: text.nullable(),
  sources: z.array(Found),
  failure: z.looseObject({ code: text, message: text }).nullable(),
}

/** What was decided about a task, and what another model decides. */
export const Rejudged = z.looseObject({
  title: text,
  recorded: z.looseObject({
    ...decided,
    provider: text.nullable(),
    model: text.nullable(),
    state: text,
    card: text.nullable(),
  }),
  rejudged: z.looseObject({
    ...decided,
    provider: text,
    model: text,
    analysis: z.looseObject({ title: text.nullable(), text }).nullable(),
  }),
  changes: z.looseObject({ shown: z.number(), missing: z.number(), left: z.number() }),
  used: z.looseObject({
    calls: z.number(),
    promptTokens: z.number(),
    completionTokens: z.number(),
    cost: z.number().nullable(),
    durationMs: z.number(),
  }),
})
export type Rejudged = z.infer<typeof Rejudged>

export const Checks = z.array(z.looseObject({ check: text, ok: z.boolean(), found: text, fix: text.nullish() }))
