import { z } from 'zod'
import type { Shape } from './table.ts'
import { Flag, Key, Moment, optional, Text } from './values.ts'

/*
 * What an OpenHuman workspace holds, by the names that its tables and columns have had. Times are seconds since 1970 in
 * the one database and ISO text in the other.
 */

const Task = z.object({
  id: Key,
  title: Text,
  source: optional(Text),
  recurrence: optional(Text),
  enabled: optional(Flag),
  completed: optional(Flag),
  createdAt: optional(Moment),
  lastRunAt: optional(Moment),
  nextRunAt: optional(Moment),
})
export type TaskThere = z.output<typeof Task>

export const tasks = {
  kind: 'tasks',
  tables: ['subconscious_tasks', 'tasks'],
  columns: {
    id: ['id', 'task_id'],
    title: ['title'],
    source: ['source'],
    recurrence: ['recurrence'],
    enabled: ['enabled'],
    completed: ['completed'],
    createdAt: ['created_at'],
    lastRunAt: ['last_run_at'],
    nextRunAt: ['next_run_at'],
  },
  needed: ['id', 'title'],
  order: ['createdAt', 'id'],
  row: Task,
} as const satisfies Shape<typeof Task>

const LogEntry = z.object({
  id: Key,
  task: Key,
  decision: Text,
  result: optional(Text),
  tickAt: optional(Moment),
  createdAt: optional(Moment),
  durationMs: optional(z.number('expected a number of milliseconds')),
})
export type LogThere = z.output<typeof LogEntry>

export const log = {
  kind: 'log',
  tables: ['subconscious_log', 'log'],
  columns: {
    id: ['id'],
    task: ['task_id'],
    decision: ['decision'],
    result: ['result'],
    tickAt: ['tick_at'],
    createdAt: ['created_at'],
    durationMs: ['duration_ms'],
  },
  needed: ['id', 'task', 'decision'],
  order: ['createdAt', 'id'],
  row: LogEntry,
} as const satisfies Shape<typeof LogEntry>

const Escalation = z.object({
  id: Key,
  task: Key,
  log: optional(Key),
  title: Text,
  description: optional(Text),
  priority: optional(Text),
  status: optional(Text),
  createdAt: optional(Moment),
  resolvedAt: optional(Moment),
})
export type EscalationThere = z.output<typeof Escalation>

export const escalations = {
  kind: 'escalations',
  tables: ['subconscious_escalations', 'escalations'],
  columns: {
    id: ['id'],
    task: ['task_id'],
    log: ['log_id'],
    title: ['title'],
    description: ['description'],
    priority: ['priority'],
    status: ['status'],
    createdAt: ['created_at'],
    resolvedAt: ['resolved_at'],
  },
  needed: ['id', 'task', 'title'],
  order: ['createdAt', 'id'],
  row: Escalation,
} as const satisfies Shape<typeof Escalation>

const Value = z.object({ key: Key, value: z.union([z.number(), z.string()], 'expected a number or text') })

const value = {
  kind: 'state',
  columns: { key: ['key', 'k', 'name'], value: ['value', 'v'] },
  needed: ['key', 'value'],
  order: ['key'],
  row: Value,
} as const

export const numbers = { ...value, tables: ['subconscious_state', 'state'] } as const satisfies Shape<typeof Value>
export const texts = { ...value, tables: ['subconscious_state_text', 'state_text'] } as const satisfies Shape<
  typeof Value
>

const Session = z.object({
  agent: Key,
  session: Key,
  label: optional(Text),
  createdAt: optional(Moment),
  activeAt: optional(Moment),
})

export const sessions = {
  kind: 'sessions',
  tables: ['sessions'],
  columns: {
    agent: ['agent_id', 'agent'],
    session: ['session_id', 'id'],
    label: ['label', 'title'],
    createdAt: ['created_at'],
    activeAt: ['last_message_at', 'updated_at'],
  },
  needed: ['agent', 'session'],
  order: ['agent', 'session'],
  row: Session,
} as const satisfies Shape<typeof Session>

const Message = z.object({
  id: Key,
  agent: Key,
  session: Key,
  chatKind: optional(Text),
  role: Text,
  body: Text,
  at: Moment,
  seq: optional(z.number('expected a number')),
})

export const messages = {
  kind: 'messages',
  tables: ['messages'],
  columns: {
    id: ['id', 'message_id'],
    agent: ['agent_id', 'agent'],
    session: ['session_id', 'session'],
    chatKind: ['chat_kind', 'kind'],
    role: ['role'],
    body: ['body', 'content', 'text'],
    at: ['timestamp', 'created_at', 'at'],
    seq: ['seq'],
  },
  needed: ['id', 'agent', 'session', 'role', 'body', 'at'],
  order: ['agent', 'session', 'at', 'seq', 'id'],
  row: Message,
} as const satisfies Shape<typeof Message>

const History = z.object({
  cycle: Key,
  agent: Key,
  session: Key,
  text: Text,
  inputTokens: optional(z.number('expected a number of tokens')),
  createdAt: Moment,
})

export const history = {
  kind: 'history',
  tables: ['compressed_history'],
  columns: {
    cycle: ['cycle_id', 'id'],
    agent: ['agent_id', 'agent'],
    session: ['session_id', 'session'],
    text: ['text', 'summary'],
    inputTokens: ['input_tokens'],
    createdAt: ['created_at', 'timestamp'],
  },
  needed: ['cycle', 'agent', 'session', 'text', 'createdAt'],
  order: ['agent', 'session', 'createdAt', 'cycle'],
  row: History,
} as const satisfies Shape<typeof History>

const Diff = z.object({
  cycle: Key,
  agent: Key,
  session: Key,
  seq: optional(z.number('expected a number')),
  signature: Text,
  change: Text,
  delta: optional(Text),
  at: Moment,
})

export const diffs = {
  kind: 'worldDiff',
  tables: ['world_diff'],
  columns: {
    cycle: ['cycle_id'],
    agent: ['agent_id', 'agent'],
    session: ['session_id', 'session'],
    seq: ['seq'],
    signature: ['event_signature', 'signature'],
    change: ['world_mutation', 'mutation'],
    delta: ['delta'],
    at: ['timestamp', 'created_at'],
  },
  needed: ['cycle', 'agent', 'session', 'signature', 'change', 'at'],
  order: ['agent', 'session', 'seq', 'at'],
  row: Diff,
} as const satisfies Shape<typeof Diff>

const Directive = z.object({
  id: Key,
  text: Text,
  createdAt: Moment,
  expiresAfter: optional(z.number('expected a number of cycles')),
  createdCycle: optional(z.number('expected a number of cycles')),
  supersededBy: optional(Key),
})
export type DirectiveThere = z.output<typeof Directive>

export const directives = {
  kind: 'directives',
  tables: ['steering_directives', 'directives'],
  columns: {
    id: ['id'],
    text: ['text'],
    createdAt: ['created_at'],
    expiresAfter: ['expires_after_cycles'],
    createdCycle: ['created_cycle'],
    supersededBy: ['superseded_by'],
  },
  needed: ['id', 'text', 'createdAt'],
  order: ['createdAt', 'id'],
  row: Directive,
} as const satisfies Shape<typeof Directive>
