import { Priority } from '../../domain/escalation.ts'
import type { Evaluation } from '../../domain/evaluation.ts'
import { type EvaluationId, id, type TaskId } from '../../domain/ids.ts'
import { oneLine } from '../../memory/cut.ts'
import { memoryWorld } from '../blank-task.ts'
import type { ImportRun } from './import-run.ts'
import { evaluationFrom, longestText } from './log.ts'
import { type EscalationThere, escalations as shape } from './shapes.ts'
import type { SourceDb } from './source-db.ts'
import { rowsOf } from './table.ts'
import { cleaned } from './values.ts'

interface End {
  card: 'approved' | 'dismissed' | 'withdrawn'
  state: Evaluation['state']
  reason: string | null
}

const ends: Readonly<Record<string, End>> = {
  approved: { card: 'approved', state: 'acted', reason: null },
  dismissed: { card: 'dismissed', state: 'dismissed', reason: 'Skipped in OpenHuman' },
  pending: { card: 'withdrawn', state: 'dismissed', reason: 'Open in OpenHuman when it was imported' },
}

/**
 * Takes what was asked there over as cards that nobody answers any more. An open one is withdrawn: what it would have done
 * is known there and not here.
 */
export async function importEscalations(run: ImportRun, db: SourceDb): Promise<void> {
  await run.each(rowsOf(db, shape, run.findings), (row, _turn, findings) => {
    const task = run.tasks.get(row.task)
    if (task === undefined)
      return findings.refuse('escalations', 'Its task was not taken over, or is gone there.', row.title)
    const status = (row.status ?? 'pending').trim().toLowerCase()
    const end = Object.hasOwn(ends, status) ? ends[status] : undefined
    if (!end) return findings.refuse('escalations', 'Its status is none that there is here.', row.status ?? '')
    const self = cardOf(run, row)
    if (self === null) return findings.wasThere('escalations')
    const title = oneLine(row.title, 500) || 'Untitled'
    putDown(run, self, { row, end, task, title })
    findings.took('escalations')
    if (end.card === 'withdrawn')
      findings.changed(
        'escalations',
        'It was open there: here it is in the log as withdrawn, and cannot be approved.',
        title,
      )
  })
}

const markOf = ({ id: key }: EscalationThere): string => `openhuman ${key}`

/** The evaluation whose card it becomes: that of its entry in the log, unless another has that; null when it is there. */
function cardOf(run: ImportRun, row: EscalationThere): EvaluationId | null {
  const { stores, ids } = run.parts
  const own = id<EvaluationId>(ids('ev', 'escalation', row.id))
  if (stores.escalations.get(own)) return null
  const logged = row.log === null ? null : evaluationFrom(run, row.log)
  if (logged === null || !stores.evaluations.get(logged)) return own
  const card = stores.escalations.get(logged)
  if (!card) return logged
  return card.answer === markOf(row) ? null : own
}

interface Ended {
  row: EscalationThere
  end: End
  task: TaskId
  title: string
}

function putDown(run: ImportRun, self: EvaluationId, { row, end, task, title }: Ended): void {
  const { stores, past, now } = run.parts
  const there = stores.evaluations.get(self)
  const createdAt = there?.createdAt ?? Math.min(row.createdAt ?? now, now)
  const answeredAt = Math.max(createdAt, Math.min(row.resolvedAt ?? createdAt, now))
  const described = cleaned(row.description ?? '', longestText).text
  const priority = Priority.safeParse(row.priority).data ?? 'normal'
  const { state, reason } = end
  if (!there) {
    const rest = { decision: 'escalate', failure: null, createdAt, settledAt: answeredAt } as const
    past.evaluation({ id: self, task, world: memoryWorld, state, reason, text: described || title, ...rest })
  } else if (there.state === 'dismissed') {
    stores.evaluations.move({ ...there, state, reason, text: there.text ?? (described || title) })
  }
  past.card({
    id: self,
    task: there?.task ?? task,
    world: memoryWorld,
    state: end.card,
    title,
    summary: oneLine(described, 300),
    priority,
    createdAt,
    answeredAt,
    answeredBy: 'OpenHuman',
    answer: markOf(row),
  })
}
