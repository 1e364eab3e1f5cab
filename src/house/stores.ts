import { masterKey } from '../domain/session.ts'
import { agentRunStore } from '../store/agent-runs.ts'
import { changeStore } from '../store/changes.ts'
import { cycleStore } from '../store/cycles.ts'
import { directiveStore } from '../store/directives.ts'
import { escalationStore } from '../store/escalations.ts'
import { evaluationStore } from '../store/evaluations.ts'
import { inspectionStore } from '../store/inspection.ts'
import type { Db } from '../store/open.ts'
import { recordStore } from '../store/records.ts'
import { sessionStore } from '../store/sessions.ts'
import { taskStore } from '../store/tasks.ts'
import { tickStore } from '../store/ticks.ts'
import { usageStore } from '../store/usage.ts'
import { worldCounts } from '../store/world-counts.ts'

export type Stores = ReturnType<typeof stores>

/** Every noun of the store over one connection. */
export const stores = (db: Db) => {
  const usage = usageStore(db)
  return {
    agentRuns: agentRunStore(db),
    changes: changeStore(db),
    cycles: cycleStore(db),
    directives: directiveStore(db, masterKey.agent),
    escalations: escalationStore(db),
    evaluations: evaluationStore(db),
    inspection: inspectionStore(db),
    counts: worldCounts(db),
    records: recordStore(db),
    sessions: sessionStore(db),
    tasks: taskStore(db),
    ticks: tickStore(db, usage),
    usage,
  }
}
