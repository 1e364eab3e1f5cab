import { z } from 'zod'
import type { GoalId, TaskId, WorldId } from './ids.ts'
import type { Schedule } from './schedule.ts'

export const Intent = z.enum(['read', 'write'])
export type Intent = z.infer<typeof Intent>

/** An effect that a task's own words ask for; fixed when the task is made, never taken from content. */
export const TaskEffect = z.strictObject({ tool: z.string(), target: z.string() })
export type TaskEffect = z.infer<typeof TaskEffect>

export const TaskTitle = z.string().trim().min(1).max(500)

/** Where a task came from: seeded by undermind, a line of HEARTBEAT.md, or the user's own command or form. */
export type TaskOrigin = 'seed' | 'heartbeat' | 'user'

/** Who judges a task: the model, or one of undermind's own checks by name (those make news, not evaluations). */
export type TaskJudge = 'model' | 'check-skills' | 'check-health'

export interface Task {
  id: TaskId
  world: WorldId
  title: string
  origin: TaskOrigin
  /** `system` for seeds and HEARTBEAT.md lines, `user` otherwise. */
  source: 'system' | 'user'
  judge: TaskJudge
  intent: Intent
  /** Who decided the intent. `rule` until a model or the user has. */
  intentBy: 'user' | 'model' | 'rule'
  /** True when the words ask for a write that the user has not yet confirmed; the task is judged as `read` till then. */
  asksToWrite: boolean
  effects: TaskEffect[]
  schedule: Schedule
  /** Ids of the sources it looks at, or globs over item keys (`inbox/**`); empty means all. */
  inputs: string[]
  onlyIfChanged: boolean
  catchUp: 'once' | 'skip'
  maxLatenessMs: number | null
  enabled: boolean
  /** Why undermind paused it, or null. */
  paused: string | null
  completed: boolean
  /** Retired: its HEARTBEAT.md line is gone or the user deleted it; its history stays. */
  retired: boolean
  createdAt: number
  lastRunAt: number | null
  nextRunAt: number | null
  retryAt: number | null
  attempts: number
  /** The evaluation a retry is for. */
  retryOf: string | null
  /** Sequence number of the last change this task was judged on. */
  judgedThrough: number
}

/** Of a due task, what a tick needs to know. */
export type DueTask = Pick<
  Task,
  | 'id'
  | 'title'
  | 'intent'
  | 'schedule'
  | 'inputs'
  | 'onlyIfChanged'
  | 'lastRunAt'
  | 'nextRunAt'
  | 'attempts'
  | 'retryOf'
  | 'judgedThrough'
>

/** Of a task, what the end of one of its evaluations needs to know. */
export type TaskStanding = Pick<Task, 'id' | 'schedule' | 'nextRunAt' | 'attempts'>

export interface Goal {
  id: GoalId
  text: string
  createdAt: number
}
