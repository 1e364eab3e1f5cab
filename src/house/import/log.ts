import type { Evaluation } from '../../domain/evaluation.ts'
import { type EvaluationId, id } from '../../domain/ids.ts'
import { memoryWorld } from '../blank-task.ts'
import { historyKept } from '../tidy.ts'
import type { ImportRun } from './import-run.ts'
import { type LogThere, log as shape } from './shapes.ts'
import type { SourceDb } from './source-db.ts'
import { rowsOf } from './table.ts'
import { cleaned } from './values.ts'

export const longestText = 20_000

export const evaluationFrom = (run: ImportRun, key: string): EvaluationId =>
  id<EvaluationId>(run.parts.ids('ev', 'log', key))

type End = Pick<Evaluation, 'state' | 'decision' | 'reason' | 'failure'>

const none = { decision: null, reason: null, failure: null } as const

/** What a decision of there was, told as the end of an evaluation: nothing of it goes on here. */
function endOf({ decision, result }: Pick<LogThere, 'decision' | 'result'>): End | undefined {
  switch (decision.trim().toLowerCase()) {
    case 'act':
      return { ...none, state: 'acted', decision: 'act' }
    case 'noop':
    case 'skip':
      return { ...none, state: 'skipped', decision: 'skip' }
    case 'escalate':
      return { ...none, state: 'dismissed', decision: 'escalate', reason: 'It asked you in OpenHuman' }
    case 'dismissed':
      return { ...none, state: 'dismissed', decision: 'escalate', reason: 'Skipped in OpenHuman' }
    case 'in_progress':
    case 'cancelled':
      return { ...none, state: 'cancelled' }
    case 'failed': {
      const message = result?.trim() || 'It failed in OpenHuman.'
      return { ...none, state: 'failed', failure: { code: 'import/failed-there', message } }
    }
    default:
      return undefined
  }
}

/** Takes the log over as evaluations that settled in the past: nothing is judged by it and no mark moves. */
export async function importLog(run: ImportRun, db: SourceDb): Promise<void> {
  const { past, now } = run.parts
  await run.each(rowsOf(db, shape, run.findings), (row, _turn, findings) => {
    const task = run.tasks.get(row.task)
    if (task === undefined) return findings.refuse('log', 'Its task was not taken over, or is gone there.')
    const at = row.tickAt ?? row.createdAt
    if (at === null) return findings.refuse('log', 'It does not say when it was.', row.id)
    if (at < now - historyKept)
      return findings.refuse('log', 'It is older than the log goes back here, which is 400 days.')
    const text = row.result === null ? null : cleaned(row.result, longestText)
    const end = endOf({ ...row, result: text?.text ?? null })
    if (!end) return findings.refuse('log', 'Its decision is none that there is here.', row.decision)
    const createdAt = Math.min(at, now)
    const settledAt = Math.min(now, createdAt + Math.max(0, Math.round(row.durationMs ?? 0)))
    const self = evaluationFrom(run, row.id)
    const evaluation = { id: self, task, world: memoryWorld, ...end, text: text?.text ?? null, createdAt, settledAt }
    if (!past.evaluation(evaluation)) return findings.wasThere('log')
    findings.took('log')
    if (text?.changed) findings.changed('log', text.changed)
  })
}
