import type { Change } from './change.ts'
import type { EvaluationId, TaskId } from './ids.ts'
import type { Goal, Intent } from './task.ts'

/** A task as a report and a judge see it. */
export interface ReportTask {
  id: TaskId
  title: string
  intent: Intent
  inputs: string[]
}

/** Something the user has already been told, so that it is not told twice. */
export interface Surfaced {
  evaluation: EvaluationId
  task: TaskId
  state: 'acted' | 'awaitingApproval' | 'dismissed'
  text: string
  at: number
}

/** Everything a report is made from, for tasks that look at the same inputs; the same material gives the same report. */
export interface ReportMaterial {
  now: number
  timezone: string
  tasks: ReportTask[]
  goals: Goal[]
  /** Changes the tasks have not been judged on, oldest first. */
  changes: Iterable<Change>
  surfaced: Surfaced[]
  /** Lines about the health of sources, skills and models. */
  health: string[]
}

/** The situation as one batch of tasks is to be judged on it. */
export interface SituationReport {
  /** For a language model: sections of Markdown, external text fenced as data. */
  text: string
  tokens: number
  now: number
  timezone: string
  tasks: ReportTask[]
  goals: Goal[]
  /** The changes that fitted, oldest first. */
  changes: Change[]
  surfaced: Surfaced[]
  /** Sequence number of the last change that was shown; null when none were there to show. */
  through: number | null
  /** How many changes wait for the next report. */
  left: number
  hasExternalContent: boolean
}
