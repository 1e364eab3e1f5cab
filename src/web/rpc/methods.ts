import type { z } from 'zod'
import type { SessionMessage } from '../../domain/session.ts'
import type { UsageKey, UsageSummary } from '../../domain/usage.ts'
import type { CardRow, LogRow, TaskRow, ToolCallRow } from '../../rpc/rows.ts'
import type { EvaluationReasonView, Finding, SessionView, StatusView } from '../../rpc/services.ts'
import type { Snake } from '../../rpc/snake.ts'
import type { InspectorMethods } from './inspector-methods.ts'

export type Card = z.output<typeof CardRow>
export type ToolCall = z.output<typeof ToolCallRow>
export type Row = z.output<typeof LogRow>
export type RowState = Row['state']
export type Task = z.output<typeof TaskRow>
export type Usage = Snake<UsageSummary>
export type UsageRow = Usage['rows'][number]
export type UsageToday = Usage['today']
export type UsageBy = UsageKey
export type Reason = Snake<Omit<EvaluationReasonView, 'task'>> & { task: Task | null }
export type Status = Snake<Omit<StatusView, 'tasks' | 'pendingApprovals'>> & {
  last_tick_at: number | null
  total_ticks: number
  consecutive_failures: number
  task_count: number
  pending_escalations: number
}
export type Session = Snake<SessionView>
export type SessionLine = Snake<SessionMessage>
export type World = Status['instances'][number]
export type { Finding }

export interface Goal {
  id: string
  text: string
  created_at: number
}

export interface LogQuery {
  task?: string
  tick?: string
  state?: RowState
  since?: number
  before?: string
  limit: number
}

interface Answer {
  id: string
  by: string
  message: string
}

interface TaskOrder {
  title?: string
  schedule?: string
  intent?: 'read' | 'write'
  enabled?: boolean
}

type None = Record<never, never>
type Instances = { instances: { instance: string; state: string }[] }

/** The methods that the page calls, by name. */
export interface Methods extends InspectorMethods {
  'subconscious.status': { params: None; result: Status }
  'subconscious.trigger': { params: { kind: string; force?: boolean }; result: { ticks: string[] } }
  'subconscious.cancel': { params: { evaluation: string; by: string }; result: { cancelled: true } }
  'subconscious.pause': { params: { kind: string }; result: Instances }
  'subconscious.resume': { params: { kind: string }; result: Instances }
  'subconscious.tasks_list': { params: None; result: Task[] }
  'subconscious.tasks_add': { params: TaskOrder & { title: string }; result: Task }
  'subconscious.tasks_update': { params: TaskOrder & { task: string }; result: Task }
  'subconscious.tasks_remove': { params: { task: string }; result: Task }
  'subconscious.goals_list': { params: None; result: Goal[] }
  'subconscious.goals_add': { params: { text: string }; result: Goal }
  'subconscious.goals_remove': { params: { goal: string }; result: Goal }
  'subconscious.log_list': { params: LogQuery; result: Row[] }
  'subconscious.why': { params: { evaluation: string }; result: Reason }
  'subconscious.escalations_list': { params: { state: 'open' | 'all'; limit: number }; result: Card[] }
  'subconscious.escalations_get': { params: { id: string }; result: Card }
  'subconscious.escalations_approve': {
    params: Answer & { digest: string; calls?: ToolCall[] }
    result: { evaluation: string; state: Card['state'] }
  }
  'subconscious.escalations_dismiss': { params: Answer; result: { evaluation: string; state: Card['state'] } }
  'subconscious.escalations_respond': { params: Answer & { text: string }; result: { evaluation: string } }
  'subconscious.escalations_resolve': { params: Answer & { happened: boolean }; result: { evaluation: string } }
  'subconscious.escalations_retry': { params: { id: string }; result: { evaluation: string } }
  'subconscious.doctor': { params: None; result: Finding[] }
  'orchestration.sessions_list': { params: None; result: Session[] }
  'orchestration.messages_list': {
    params: { session: string; before?: number; limit: number }
    result: { session: Session; messages: SessionLine[] }
  }
  'orchestration.message_send': {
    params: { session: string; body: string; id: string }
    result: { message: SessionLine }
  }
  'orchestration.mark_read': { params: { session: string }; result: Session }
  'usage.summary': { params: { days: number; by: UsageBy }; result: Usage }
}

export type MethodName = keyof Methods
