import { changeStore } from '../store/changes.ts'
import { escalationStore } from '../store/escalations.ts'
import { evaluationStore } from '../store/evaluations.ts'
import type { Db } from '../store/open.ts'
import { recordStore } from '../store/records.ts'
import { taskStore } from '../store/tasks.ts'
import { tickStore } from '../store/ticks.ts'

export type Stores = ReturnType<typeof stores>

/** Every noun of the store over one connection. */
export const stores = (db: Db) => ({
  changes: changeStore(db),
  escalations: escalationStore(db),
  evaluations: evaluationStore(db),
  records: recordStore(db),
  tasks: taskStore(db),
  ticks: tickStore(db),
})
