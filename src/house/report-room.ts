import type { Provider } from '../domain/model.ts'
import { reportBudget, tasksPerCall } from '../models/language/budget.ts'

/** What one call to a provider has room for. */
export interface ReportRoom {
  /** Tokens that a report on so many tasks may have. */
  report(tasks: number): number
  /** How many tasks one answer may be about. */
  tasks: number
}

/** A language model needs room for its answer; a rule has all that it holds for the report. */
export const reportRoom = ({ id, contextTokens }: Pick<Provider, 'id' | 'contextTokens'>): ReportRoom =>
  id === 'builtin'
    ? { report: () => contextTokens, tasks: Number.POSITIVE_INFINITY }
    : { report: (tasks) => reportBudget(contextTokens, tasks), tasks: tasksPerCall(contextTokens) }
