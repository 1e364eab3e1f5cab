import type { EvaluationState } from '../domain/evaluation.ts'
import type { Paint, Style } from './paint.ts'
import type { Row } from './views.ts'

/** Amber and coral are the nearest that every terminal has. */
const colours: Record<EvaluationState, Style> = {
  inProgress: 'blue',
  acted: 'green',
  skipped: 'gray',
  awaitingApproval: 'yellow',
  failed: 'redBright',
  cancelled: 'gray',
  superseded: 'gray',
  dismissed: 'gray',
}

export const dot = (state: EvaluationState, paint: Paint): string => paint(colours[state], '●')

const phases: Record<string, string> = {
  executing: 'Executing…',
  analysing: 'Analysing…',
  carryingOut: 'Carrying out…',
}

/** What the activity log says of an evaluation. */
export const stateText = (row: Row): string => {
  switch (row.state) {
    case 'inProgress':
      return phases[row.phase ?? ''] ?? 'Evaluating…'
    case 'acted':
      return row.text || row.reason || 'Done'
    case 'skipped':
      return 'Nothing new'
    case 'awaitingApproval':
      return 'Waiting for approval'
    case 'failed':
      return row.failure?.message || row.text || row.reason || 'Failed'
    case 'cancelled':
      return 'Cancelled'
    case 'superseded':
      return 'Superseded'
    case 'dismissed':
      return row.reason || 'Skipped'
    default:
      return row.state satisfies never
  }
}
